// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The verifier looks into a global function although the only call of it is dead; into a static one only if it is called. */
#include "case.h"

struct file {
	int f_old_size;
	int f_new_size;
} CORE;

__noinline int old_size(struct file *file)
{
	return BPF_CORE_READ(file, f_old_size); /* expect: kernel new: struct file has no field f_old_size */
}

static __noinline int new_size(struct file *file)
{
	return BPF_CORE_READ(file, f_new_size) * 3;
}

__noinline int uncalled(struct file *file)
{
	return BPF_CORE_READ(file, f_old_size) * 5;
}

SEC("raw_tp/opened") int called(struct file **ctx)
{
	struct file *file = *ctx;

	if (bpf_core_field_exists(file->f_old_size))
		result += old_size(file);
	if (bpf_core_field_exists(file->f_new_size))
		result += new_size(file) + new_size(file + 1);
	return 0;
}
