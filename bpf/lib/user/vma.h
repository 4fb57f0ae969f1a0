/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the current task has mapped at an address, as the kernel has it. Its trees are read without their lock: what changes
 * meanwhile may not be found, or not be what is there now, and the caller looks at what it gets.
 *
 * Rejected: bpf_find_vma() and the iterator of mappings, which are of 5.17 and 6.7, and which hold the lock of the memory
 * where interrupts are off for longer than they run, and so serve one look-up in a program.
 */
#pragma once

#include "mm.h"
#include "task.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define MAPLE_LEVELS 8 /* of at least five slots each; a process with 65,530 mappings has 6 at most */
#define MAPLE_NODE_MASK 255UL
#define MAPLE_TYPE(node) ((node) >> 3 & 0xf)
#define MAPLE_ROOT_IS_NODE 2UL /* the root, and not a mapping alone */
#define RB_LEVELS 40

struct maple_pivots {
	__u64 pivot[15];
};

/* Not on the stack, of which a walk's functions have little left. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct maple_pivots);
} maple_pivots SEC(".maps");

/* The entry for the address below a node: another one, or, of a leaf, the mapping, or NULL. */
__noinline __u64 maple_entry(__u64 node, __u64 address)
{
	struct maple_range_64 *range = (void *)(node & ~MAPLE_NODE_MASK);
	struct maple_arange_64 *arange = (void *)range;
	__u64 *slot = (void *)&range->slot, entry = 0;
	struct maple_pivots *pivots;
	__u32 zero = 0, i;

	if (!bpf_core_type_exists(struct maple_range_64)) /* a function is verified, whoever calls it */
		return 0;
	if (MAPLE_TYPE(node) == bpf_core_enum_value(enum maple_type, maple_arange_64))
		slot = (void *)&arange->slot;
	/* This one has fewer, and behind them slots: addresses of the kernel, which lie above, or 0. */
	pivots = bpf_map_lookup_elem(&maple_pivots, &zero);
	if (!pivots || bpf_probe_read_kernel(pivots, sizeof(*pivots), &range->pivot))
		return 0;
	for (i = 0; i < sizeof(pivots->pivot) / sizeof(*pivots->pivot); i++)
		if (!pivots->pivot[i] || pivots->pivot[i] >= address)
			break;
	slot += i;
	bpf_probe_read_kernel(&entry, sizeof(entry), slot);
	return entry;
}

static __always_inline __u64 vma_in_maple_tree(struct mm_struct *mm, __u64 address)
{
	__u64 entry = (__u64)BPF_CORE_READ(mm, mm_mt.ma_root);
	bool leaf = !(entry & MAPLE_ROOT_IS_NODE);
	int i;

	for (i = 0; i < MAPLE_LEVELS && entry && !leaf; i++) {
		leaf = MAPLE_TYPE(entry) <= bpf_core_enum_value(enum maple_type, maple_leaf_64);
		entry = maple_entry(entry, address);
	}
	return leaf ? entry : 0;
}

static __always_inline __u64 vma_in_rb_tree(struct mm_struct *mm, __u64 address)
{
	struct rb_node *node = BPF_CORE_READ(mm, mm_rb.rb_node);
	struct vm_area_struct *vma;
	int i;

	for (i = 0; i < RB_LEVELS && node; i++) {
		vma = (void *)node - bpf_core_field_offset(struct vm_area_struct, vm_rb);
		if (address >= BPF_CORE_READ(vma, vm_end))
			node = BPF_CORE_READ(node, rb_right);
		else if (address >= BPF_CORE_READ(vma, vm_start))
			return (__u64)vma;
		else
			node = BPF_CORE_READ(node, rb_left);
	}
	return 0;
}

/* The struct vm_area_struct that has the address, or 0. */
static __always_inline __u64 vma_at(__u64 address)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	struct vm_area_struct *vma;

	if (!mm)
		return 0;
	vma = (void *)(bpf_core_field_exists(mm->mm_mt) ? vma_in_maple_tree(mm, address) : vma_in_rb_tree(mm, address));
	if (!vma || address < BPF_CORE_READ(vma, vm_start) || address >= BPF_CORE_READ(vma, vm_end))
		return 0;
	return (__u64)vma;
}
