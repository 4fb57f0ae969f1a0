/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A tool's programs once more, with the stack of each event: the Makefile includes this before their source, for a tool that
 * says so in its declaration (src/run/event_stacks.h). What does not ask for stacks pays nothing, neither in its programs nor in
 * maps nor as it starts. Rejected: a constant that turns them off, as global functions are verified all the same: 14,000
 * instructions and the maps, for each run of each tool.
 */
#pragma once

#define WITH_STACKS

#include "core.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "lib/user/stack.h"

/* The kernel part of a task by itself, wherever a program is: 5.11 and later (3ca1032ab7ab), before it there is none. */
static __always_inline void event_stack_kernel(struct stack_walk *walk)
{
	if (stack_kernel && bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf))
		stack_set_kernel(walk, bpf_get_task_stack(bpf_get_current_task_btf(), walk->stack.kernel,
							  sizeof(walk->stack.kernel), 0));
}

/* Of the current task. The key in `stacks`, or 0: a loss. */
__noinline __u64 event_stack(void)
{
	struct stack_walk *walk = stack_try_reserve();

	if (!walk)
		return 0;
	stack_clear(walk);
	event_stack_kernel(walk);
	stack_set_user(walk, NULL);
	return stack_release(walk, stack_keep(walk));
}
