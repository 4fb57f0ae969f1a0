// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An accessor that knows two names of a field, on a kernel that has a third one: it would return 0 and say nothing. */
#include "case.h"

struct file___old {
	int f_old_size;
} CORE;

struct file___older {
	int f_older_size;
} CORE;

static __always_inline int size_of(void *file)
{
	struct file___older *older = file;
	struct file___old *old = file;

	if (bpf_core_field_exists(older->f_older_size)) /* expect: no kernel has struct file.f_older_size */
		return BPF_CORE_READ(older, f_older_size);
	if (bpf_core_field_exists(old->f_old_size)) /* expect: kernel new: no branch is for this kernel: struct file has none of f_old_size, f_older_size */
		return BPF_CORE_READ(old, f_old_size);
	return 0;
}

SEC("raw_tp/opened") int branch(void **ctx)
{
	result += size_of(*ctx);
	return 0;
}
