// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The guard asks for another field than the one that is read; the guard is missing; the guard is the wrong way round. */
#include "case.h"

struct file {
	int f_old_size;
	int f_new_size;
	__s64 f_pos;
} CORE;

SEC("raw_tp/opened") int guard(struct file **ctx)
{
	struct file *file = *ctx;

	if (bpf_core_field_exists(file->f_pos))
		result += BPF_CORE_READ(file, f_old_size); /* expect: kernel new: struct file has no field f_old_size */
	bpf_printk("between");
	if (bpf_core_field_exists(file->f_old_size))
		result += BPF_CORE_READ(file, f_new_size); /* expect: kernel old: struct file has no field f_new_size */
	return 0;
}
