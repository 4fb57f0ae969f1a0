/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where an address of a process belongs, and by which rule its function is left: searches in what user space has put there. */
#pragma once

#include "core.h"

#include <bpf/bpf_helpers.h>

#include "lib/user/stack_keep.h"

#define STACK_SEARCHES 14 /* halvings of 16,384 */

#define STACK_ARRAY(name, value_type, entries)                                                     \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(map_flags, BPF_F_MMAPABLE);                                                 \
		__uint(max_entries, entries);                                                      \
		__type(key, __u32);                                                                \
		__type(value, value_type);                                                         \
	} name SEC(".maps")

/* Filled by user space without a system call for each; what is there does not change, but grows. */
STACK_ARRAY(stack_mappings, struct stack_mapping, STACK_MAPPINGS);
STACK_ARRAY(stack_pages, struct stack_page, STACK_PAGES);
STACK_ARRAY(stack_chunks, struct stack_chunk, STACK_CHUNKS);
STACK_ARRAY(stack_rules, struct unwind_rule, UNWIND_RULES);

/* Of the walk's ip. 0: no mapping has it. */
__noinline int stack_find_mapping(void)
{
	struct stack_walk *walk = stack_walk();
	__u32 low, high, middle, i;
	struct stack_mapping *m;
	__u64 ip;

	if (!walk)
		return 0;
	ip = walk->ip - walk->called;
	low = walk->first;
	high = low + walk->mappings;
	for (i = 0; i < STACK_SEARCHES && low < high; i++) { /* for the first that begins above */
		middle = (low + high) / 2 & (STACK_MAPPINGS - 1);
		m = bpf_map_lookup_elem(&stack_mappings, &middle);
		if (!m)
			return 0;
		if (m->from <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == walk->first)
		return 0;
	middle = low - 1;
	m = bpf_map_lookup_elem(&stack_mappings, &middle);
	if (!m || ip >= m->to)
		return 0;
	walk->address = ip - m->bias;
	walk->page = m->page + (__u32)(walk->address >> UNWIND_PAGE_SHIFT);
	walk->tables = m->tables;
	walk->frame = ip;
	return 1;
}

/* The rule at the walk's address. */
__noinline int stack_find_rule(void)
{
	struct stack_walk *walk = stack_walk();
	struct stack_page *page;
	struct stack_chunk *chunk;
	__u32 number, low, high, middle, first, wanted, i;

	if (!walk)
		return UNWIND_RULE_NONE;
	number = walk->page;
	page = bpf_map_lookup_elem(&stack_pages, &number);
	if (!page)
		return UNWIND_RULE_NONE;
	number = page->chunk;
	chunk = bpf_map_lookup_elem(&stack_chunks, &number);
	if (!chunk)
		return UNWIND_RULE_NONE;
	wanted = UNWIND_ROW(walk->address, 0xffff);
	first = low = page->page.first;
	high = low + page->page.rows;
	for (i = 0; i <= STACK_SEARCHES && low < high; i++) {
		middle = (low + high) / 2;
		asm volatile("" : "+r"(middle)); /* one copy, which has the bound that the verifier wants to see */
		middle &= UNWIND_ROWS - 1;
		if (chunk->rows[middle] <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == first)
		return page->page.before;
	middle = low - 1;
	asm volatile("" : "+r"(middle));
	middle &= UNWIND_ROWS - 1;
	return UNWIND_ROW_RULE(chunk->rows[middle]);
}
