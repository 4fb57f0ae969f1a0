/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions whose end is traced, by whomever, have a trampoline's address where their return address was. The kernel remembers
 * that, of each with its place on the stack.
 */
#pragma once

#include "task.h"
#include "uprobe.h"

#include <bpf/bpf_core_read.h>

#include "lib/user/stack_keep.h"
#include "lib/user/stack_memory.h"

#define STACK_RETURNS 64 /* as many as the kernel keeps of a task */

/* The walk has left a function that returns to its ip. 0: that is where the function was called. */
__noinline int stack_find_return(void)
{
	struct stack_walk *walk = stack_walk();
	struct return_instance *one;
	__u64 place;
	int i;

	if (!walk || !walk->called)
		return 0;
	one = BPF_CORE_READ((struct task_struct *)bpf_get_current_task(), utask, return_instances);
	place = STACK_LINKED ? walk->sp : walk->sp - sizeof(place); /* the stack pointer where it began */
	for (i = 0; i < STACK_RETURNS && one; i++) {
		if (BPF_CORE_READ(one, stack) == place) {
			stack_forget(walk); /* the words of the stack do not tell */
			walk->ip = BPF_CORE_READ(one, orig_ret_vaddr);
			return 1;
		}
		one = BPF_CORE_READ(one, next);
	}
	return 0;
}
