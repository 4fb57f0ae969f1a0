// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Each kernel has one of the branches: nothing to say, in a function that is called and across a spill neither. */
#include "case.h"

struct file___old {
	__u32 f_flags;
	int f_old_size;
} CORE;

struct file___new {
	__u64 f_flags;
	int f_new_size;
} CORE;

struct folio {
	unsigned long index;
} CORE;

static __always_inline int size_of(void *file)
{
	struct file___old *old = file;
	struct file___new *new = file;

	if (bpf_core_field_exists(old->f_old_size))
		return BPF_CORE_READ(old, f_old_size);
	return BPF_CORE_READ(new, f_new_size);
}

static __noinline __u64 index_of(struct folio *folio)
{
	return BPF_CORE_READ(folio, index);
}

SEC("raw_tp/opened") int guarded(void **ctx)
{
	struct file___new *new = ctx[0];
	struct file___old *old = ctx[0];
	bool wide = bpf_core_field_size(new->f_flags) == 8;

	result += size_of(ctx[0]);
	if (bpf_core_type_exists(struct folio))
		result += index_of(ctx[1]);
	bpf_printk("%d", wide);
	result += wide ? BPF_CORE_READ(new, f_flags) : BPF_CORE_READ(old, f_flags);
	return bpf_core_type_exists(struct folio) && bpf_get_smp_processor_id() ? index_of(ctx[1]) : 0;
}
