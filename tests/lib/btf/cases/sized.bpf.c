// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Who asks for the size as well may read a field whose size differs. */
#include "case.h"

struct file {
	__u64 f_flags;
} CORE;

SEC("raw_tp/opened") int sized(struct file **ctx)
{
	struct file *file = *ctx;
	__u64 flags = 0;

	bpf_core_read(&flags, bpf_core_field_size(file->f_flags), &file->f_flags);
	result += flags;
	return 0;
}
