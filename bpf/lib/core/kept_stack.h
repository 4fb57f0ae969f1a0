/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The stack of an event's beginning, where at its end another task runs, or another program in the same one: its key, by a number
 * of the event, from keep_stack() to take_stack(). LRU, as not everything that begins is told of. Without --stack nothing of it is
 * there.
 */
#pragma once

#include "core.h"

#include <bpf/bpf_helpers.h>

#include "lib/core/emit.h"

#ifdef WITH_STACKS
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, __u64);
} kept_stacks SEC(".maps");

static __always_inline void keep_stack(__u64 number)
{
	__u64 stack = event_stack();

	if (bpf_map_update_elem(&kept_stacks, &number, &stack, BPF_ANY))
		count_loss(LOSS_STACK);
}

/* 0: its beginning was not seen. */
static __always_inline __u64 take_stack(__u64 number)
{
	__u64 *kept = bpf_map_lookup_elem(&kept_stacks, &number), stack;

	if (!kept)
		return 0;
	stack = *kept;
	bpf_map_delete_elem(&kept_stacks, &number);
	return stack;
}
#else
static __always_inline void keep_stack(__u64 number)
{
}

static __always_inline __u64 take_stack(__u64 number)
{
	return 0;
}
#endif
