/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What of a walk (lib/user/stack.h) is of arm64. */
#pragma once

#include "compat.h"

#include <bpf/bpf_core_read.h>

#include "lib/user/stack_keep.h"
#include "lib/user/stack_memory.h"
#include "lib/user/stack_tables.h"

/*
 * What a return address has above its 48 bits signs it (pointer authentication). Code lies higher only where a program has
 * asked for an address there.
 */
#define STACK_ADDRESS(word) ((word) & ((1ULL << 48) - 1))

static __always_inline int stack_return_to(struct stack_walk *walk, __u64 word)
{
	walk->ip = STACK_ADDRESS(word);
	walk->link = 0;
	walk->called = 1;
	return -1;
}

/* The registers that the kernel put where the signal's handler found them (struct rt_sigframe). */
#define SIGNAL_REGISTERS (128 + 176 + 8) /* siginfo; ucontext up to its registers; fault_address */

static __always_inline int stack_leave_signal(struct stack_walk *walk)
{
	__u64 registers = walk->sp + SIGNAL_REGISTERS;

	if (!stack_load(&walk->fp, registers + 29 * 8) || !stack_load(&walk->link, registers + 30 * 8) ||
	    !stack_load(&walk->sp, registers + 31 * 8) || !stack_load(&walk->ip, registers + 32 * 8))
		return STACK_UNREADABLE;
	walk->called = 0;
	return -1;
}

/* Is it a return address, behind a call: bl, or blr in its forms? */
static __always_inline bool stack_is_return(__u64 ip)
{
	__u32 code;

	if (bpf_probe_read_user(&code, sizeof(code), (void *)(ip - 4)))
		return false;
	return (code & 0xfc000000) == 0x94000000 || (code & 0xfefff000) == 0xd63f0000;
}

/*
 * Code without rows: x29 is the frame pointer, and 0 in the outermost frame, or the return address is. A frame that lies
 * below is one of another stack, which Go's runtime calls from, if there is a call.
 */
static __always_inline int stack_leave_by_frame_pointer(struct stack_walk *walk)
{
	__u64 fp = walk->fp, to;
	bool below = fp < walk->sp;

	if (!fp)
		return STACK_WHOLE;
	if (!stack_load(&walk->fp, fp) || !stack_load(&to, fp + 8))
		return below ? STACK_NO_ROW : STACK_UNREADABLE;
	if (!below && !to)
		return STACK_WHOLE;
	if (below && !stack_is_return(STACK_ADDRESS(to)))
		return STACK_NO_ROW;
	if (below)
		stack_forget(walk);
	walk->sp = fp + 16;
	return stack_return_to(walk, to);
}

/*
 * The innermost function, of which its file says nothing, as of all of musl: small ones have not saved x30, so that it has the
 * return address, if that is behind a call. A guess, and marked as one.
 */
__noinline int stack_guess(void)
{
	struct stack_walk *walk = stack_walk();

	if (!walk || walk->stack.user_frames != 1)
		return STACK_NO_ROW;
	stack_return_to(walk, walk->link);
	if (!stack_is_return(walk->ip) || !stack_find_mapping())
		return STACK_NO_ROW;
	stack_forget(walk);
	walk->guess = STACK_GUESS;
	return -1;
}

static __always_inline int stack_leave(struct stack_walk *walk, const struct unwind_rule *rule)
{
	__u64 cfa = (rule->cfa == UNWIND_FP ? walk->fp : walk->sp) + (__s64)rule->cfa_offset;
	__u64 fp = walk->fp, to = walk->link;

	if (rule->return_offset && !stack_load(&to, cfa + (__s64)rule->return_offset))
		return STACK_UNREADABLE;
	if (!to) /* x30 had been changed by a call before */
		return STACK_UNSUPPORTED;
	if (rule->fp == UNWIND_FP_LOST)
		walk->fp = ~0ULL; /* whoever needs it finds nothing there */
	else if (rule->fp != UNWIND_FP_SAME &&
		 !stack_load(&walk->fp, (rule->fp == UNWIND_FP_AT_CFA ? cfa : fp) + (__s64)rule->fp_offset))
		return STACK_UNREADABLE;
	walk->sp = cfa;
	return stack_return_to(walk, to);
}

/* Registers as a perf_event program sees them (struct bpf_perf_event_data): those of the interrupted code. */
struct stack_registers {
	__u64 regs[31];
	__u64 sp, pc, pstate;
};
#define USER_MODE(pstate) (((pstate) & 0xf) == 0)
#define USER_IS_NARROW(pstate) ((pstate) & 0x10)

/* False: not of a 64-bit program. `here` may be NULL: in the kernel. */
static __always_inline bool stack_begin(struct stack_walk *walk, const struct stack_registers *here)
{
	struct pt_regs *user;

	if (here && USER_MODE(here->pstate)) {
		walk->ip = here->pc;
		walk->sp = here->sp;
		walk->fp = here->regs[29];
		walk->link = here->regs[30];
		return !USER_IS_NARROW(here->pstate);
	}
	user = (void *)task_registers();
	walk->ip = BPF_CORE_READ(user, user_regs.pc);
	walk->sp = BPF_CORE_READ(user, user_regs.sp);
	walk->fp = BPF_CORE_READ(user, user_regs.regs[29]);
	walk->link = BPF_CORE_READ(user, user_regs.regs[30]);
	return !USER_IS_NARROW(BPF_CORE_READ(user, user_regs.pstate));
}
