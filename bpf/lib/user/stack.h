/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The stack of the current task, user and kernel part, by value. The user part is walked by the
 * tables of its files (lib/user/unwind_wire.h), by frame pointers only in code of which no file says
 * anything: a walk by frame pointers does not notice that the register is a number, and invents frames. A walk
 * is whole, or says why it is not. No address is kept that lies in no executable mapping.
 *
 * Global functions without arguments, with their state in a per-CPU map: the verifier walks each
 * loop once, and one program is enough for 128 frames on every kernel from 5.10 on. Rejected: tail
 * calls (a few frames each), bpf_loop() (5.17), copies of the stack for user space to walk (8 KiB each).
 */
#pragma once

#include "compat.h"
#include "registers.h"
#include "task.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "lib/core/filter.h"
#include "lib/user/stack_keep.h"
#include "lib/user/stack_memory.h"
#include "lib/user/stack_processes.h"
#include "lib/user/stack_return.h"
#include "lib/user/stack_tables.h"
#include "lib/user/stack_vma.h"
#if defined(__TARGET_ARCH_x86)
#include "lib/user/stack_x86.h"
#else
#include "lib/user/stack_arm64.h"
#endif

const volatile bool stack_kernel = true;
const volatile bool stack_innermost; /* that function alone, of the kernel if it runs */

static __always_inline bool stack_find_code(void)
{
	return stack_find_mapping() || stack_find_vma();
}

/* Keeps the frame and goes to its caller. -1: there is one; else enum stack_end. */
__noinline int stack_step(void)
{
	struct stack_walk *walk = stack_walk();
	struct unwind_rule *rule;
	__u32 frame, number;
	bool known;

	if (!walk)
		return STACK_UNREADABLE;
	known = stack_find_code();
	if ((!known || !walk->tables) && stack_find_return())
		known = stack_find_code();
	if (!known)
		return STACK_NO_MAPPING;
	frame = walk->stack.user_frames;
	asm volatile("" : "+r"(frame));
	if (frame >= STACK_USER_FRAMES)
		return STACK_DEEP;
	walk->stack.user[frame] = walk->frame | walk->guess;
	walk->guess = 0;
	walk->stack.user_frames = frame + 1;
	if (!walk->tables)
		return stack_leave_by_frame_pointer(walk);
	number = stack_find_rule();
	rule = bpf_map_lookup_elem(&stack_rules, &number);
	if (!rule || rule->cfa == UNWIND_NONE)
		return stack_guess();
	if (rule->cfa == UNWIND_UNSUPPORTED)
		return STACK_UNSUPPORTED;
	if (rule->cfa == UNWIND_END)
		return STACK_WHOLE;
	if (rule->cfa == UNWIND_SIGNAL)
		return stack_leave_signal(walk);
	return stack_leave(walk, rule);
}

/* And not interrupted elsewhere. */
static __always_inline bool stack_in_system_call(void)
{
	struct pt_regs *registers = (void *)task_registers();

	return registers_system_call(registers) >= 0;
}

static __always_inline __u32 stack_walk_user(struct stack_walk *walk)
{
	struct stack_process *process = bpf_map_lookup_elem(&stack_processes, &walk->tgid);
	bool known = process && process->mappings;
	int end = STACK_DEEP, i;

	walk->stack.process = known ? process->number : 0;
	walk->first = known ? process->first : 0;
	walk->mappings = known ? process->mappings : 0;
	walk->called = 0;
	walk->guess = 0;
	if (stack_remembers && known && stack_in_system_call())
		walk->recalled = stack_recall();
	if (walk->recalled && !stack_walks_twice)
		return STACK_WHOLE;
	for (i = 0; i <= STACK_USER_FRAMES; i++) {
		end = stack_step();
		if (end >= 0)
			break;
		if (stack_innermost)
			return STACK_WHOLE;
	}
	if (!known || end == STACK_NO_MAPPING)
		stack_request_more(walk->tgid);
	return !known && end == STACK_NO_MAPPING ? STACK_NO_PROCESS : end;
}

static __always_inline __u32 stack_user_part(struct stack_walk *walk, const struct stack_registers *here)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	if (stack_innermost && walk->stack.kernel_frames) {
		walk->stack.kernel_frames = 1;
		return STACK_WHOLE;
	}
	if (!stack_user || BPF_CORE_READ(task, flags) & (PF_KTHREAD | PF_IO_WORKER) || !walk->tgid)
		return STACK_WHOLE;
	if (!BPF_CORE_READ(task, mm)) /* it has exited, and gives its CPU away */
		return STACK_WHOLE;
	if (!stack_begin(walk, here))
		return STACK_NARROW;
	return stack_walk_user(walk);
}

static __always_inline void stack_clear(struct stack_walk *walk)
{
	walk->stack.process = 0;
	walk->stack.end = STACK_WHOLE;
	walk->stack.user_frames = 0;
	walk->stack.kernel_frames = 0;
	walk->recalled = 0;
	walk->keeps_words = 0;
}

static __always_inline void stack_set_user(struct stack_walk *walk, const struct stack_registers *here)
{
	walk->tgid = filter_pid_tgid() >> 32;
	walk->stack.end = stack_user_part(walk, here);
	if (walk->stack.end != STACK_WHOLE)
		count_loss(LOSS_STACK_CUT + walk->stack.end);
}

/* What a helper gave; below 0: it has none. */
static __always_inline void stack_set_kernel(struct stack_walk *walk, __s64 bytes)
{
	if (bytes > 0)
		walk->stack.kernel_frames = (__u32)bytes / 8;
}

/*
 * Of a program's context, with the registers of the code that it interrupts, or NULL: in the kernel. The key in `stacks`, or 0: it
 * found no room.
 */
static __always_inline __u64 stack_take_at(void *ctx, struct stack_registers *here)
{
	struct stack_walk *walk = stack_try_reserve();

	if (!walk)
		return 0;
	stack_clear(walk);
	if (stack_kernel)
		stack_set_kernel(walk, bpf_get_stack(ctx, walk->stack.kernel, sizeof(walk->stack.kernel), 0));
	stack_set_user(walk, here);
	return stack_release(walk, stack_keep(walk));
}

/* Of a perf_event program's context, which is these registers. */
static __always_inline __u64 stack_take(struct stack_registers *ctx)
{
	return stack_take_at(ctx, ctx);
}

/*
 * The parts apart, each under a key of its own, where they are not to be had at the same time: the user part of a task only
 * while it is the current one, the kernel part of a task that sleeps as it was when it went to sleep.
 */

/* Of the current task, with the registers of the code that it runs. 0: none, or a loss. */
static __always_inline __u64 stack_take_user_at(struct stack_registers *here)
{
	struct stack_walk *walk = stack_user ? stack_try_reserve() : NULL;

	if (!walk)
		return 0;
	stack_clear(walk);
	stack_set_user(walk, here);
	return stack_release(walk, stack_keep(walk));
}

/* The same of one that is in the kernel. */
static __always_inline __u64 stack_take_user(void)
{
	struct stack_walk *walk = stack_user ? stack_try_reserve() : NULL;
	__u64 key;

	if (!walk)
		return 0;
	stack_clear(walk);
	stack_set_user(walk, NULL);
	if (walk->recalled && !stack_walks_twice)
		return stack_release(walk, walk->recalled);
	key = stack_keep(walk);
	if (walk->recalled)
		count_loss(key == walk->recalled ? LOSS_STACK_SAME : LOSS_STACK_OTHER);
	stack_remember(walk, key);
	return stack_release(walk, key);
}

/* Of a task whose memory cannot be read now. */
static __always_inline __u64 stack_take_missed(__u32 end)
{
	struct stack_walk *walk = stack_user ? stack_try_reserve() : NULL;

	if (!walk)
		return 0;
	stack_clear(walk);
	walk->stack.end = end;
	count_loss(LOSS_STACK_CUT + end);
	return stack_release(walk, stack_keep(walk));
}

/* Of the current task, by a raw tracepoint's context: tracing itself is in it. */
static __always_inline __u64 stack_take_kernel(void *ctx)
{
	struct stack_walk *walk = stack_kernel ? stack_try_reserve() : NULL;

	if (!walk)
		return 0;
	stack_clear(walk);
	stack_set_kernel(walk, bpf_get_stack(ctx, walk->stack.kernel, sizeof(walk->stack.kernel), 0));
	return stack_release(walk, stack_keep(walk));
}

/* Of a typed task that has no CPU. */
static __always_inline __u64 stack_take_kernel_of(struct task_struct *task)
{
	struct stack_walk *walk = stack_kernel ? stack_try_reserve() : NULL;

	if (!walk)
		return 0;
	stack_clear(walk);
	stack_set_kernel(walk, bpf_get_task_stack(task, walk->stack.kernel, sizeof(walk->stack.kernel), 0));
	return stack_release(walk, stack_keep(walk));
}
