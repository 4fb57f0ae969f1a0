/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What of a walk (lib/user/stack.h) is of x86-64. */
#pragma once

#include "compat.h"
#include "registers.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "lib/user/stack_keep.h"
#include "lib/user/stack_memory.h"
#include "lib/user/stack_tables.h"

/* The registers that the kernel put where the signal's handler found them (struct rt_sigframe of x86-64). */
static __always_inline int stack_leave_signal(struct stack_walk *walk)
{
	__u64 sp = walk->sp;

	if (!stack_load(&walk->fp, sp + 120) || !stack_load(&walk->sp, sp + 160) || !stack_load(&walk->ip, sp + 168))
		return STACK_UNREADABLE;
	walk->called = 0;
	return -1;
}

/* Is it a return address, behind a call: e8 with a distance, or ff /2 in its forms? */
static __always_inline bool stack_is_return(__u64 ip)
{
	__u32 b1, b2, b4, b5;
	__u64 code;

	if (bpf_probe_read_user(&code, sizeof(code), (void *)(ip - 8)))
		return false;
	b1 = code >> 8 & 0xffff;
	b2 = code >> 16 & 0xffff;
	b4 = code >> 32 & 0xffff;
	b5 = code >> 40 & 0xffff;
	return (code >> 24 & 0xff) == 0xe8 || (code >> 48 & 0x38ff) == 0x10ff || (b5 & 0xf8ff) == 0x50ff || b4 == 0x54ff ||
	       (b2 & 0xf8ff) == 0x90ff || b2 == 0x15ff || b1 == 0x94ff;
}

/*
 * Code without rows: rbp is the frame pointer, and 0 in the outermost frame, or the return address is. A frame that lies
 * below is one of another stack, which Go's runtime calls from, if there is a call.
 */
static __always_inline int stack_leave_by_frame_pointer(struct stack_walk *walk)
{
	__u64 bp = walk->fp;
	bool below = bp < walk->sp;

	if (!bp)
		return STACK_WHOLE;
	if (!stack_load(&walk->fp, bp) || !stack_load(&walk->ip, bp + 8))
		return below ? STACK_NO_ROW : STACK_UNREADABLE;
	if (!below && !walk->ip)
		return STACK_WHOLE;
	if (below && !stack_is_return(walk->ip))
		return STACK_NO_ROW;
	if (below)
		stack_forget(walk);
	walk->sp = bp + 16;
	walk->called = 1;
	return -1;
}

/*
 * The innermost function, of which its file says nothing, as of all of musl: small ones have not moved rsp, so that what
 * lies there is the return address, if it is behind a call. A guess, and marked as one.
 */
__noinline int stack_guess(void)
{
	struct stack_walk *walk = stack_walk();

	if (!walk || walk->stack.user_frames != 1)
		return STACK_NO_ROW;
	if (!stack_load(&walk->ip, walk->sp))
		return STACK_UNREADABLE;
	walk->called = 1;
	if (!stack_is_return(walk->ip) || !stack_find_mapping())
		return STACK_NO_ROW;
	stack_forget(walk);
	walk->sp += 8;
	walk->guess = STACK_GUESS;
	return -1;
}

/* Of the innermost function alone is it known what rdi has. */
static __always_inline int stack_leave_by_rdi(struct stack_walk *walk, __u64 cfa)
{
	struct pt_regs *registers = (void *)task_registers();

	if (walk->stack.user_frames != 1)
		return STACK_UNSUPPORTED;
	stack_forget(walk);
	walk->ip = PT_REGS_PARM1_CORE(registers);
	walk->sp = cfa;
	walk->called = 1;
	return -1;
}

static __always_inline int stack_leave(struct stack_walk *walk, const struct unwind_rule *rule)
{
	__u64 cfa = (rule->cfa == UNWIND_FP || rule->cfa == UNWIND_FP_LOAD ? walk->fp : walk->sp) + (__s64)rule->cfa_offset;
	__u64 bp = walk->fp;

	if (rule->cfa == UNWIND_PLT)
		cfa = walk->sp + 8 + ((walk->ip & 15) >= (__u64)rule->cfa_added) * 8;
	if (rule->cfa == UNWIND_SP_RDI)
		return stack_leave_by_rdi(walk, cfa);
	if (rule->cfa == UNWIND_SP_LOAD || rule->cfa == UNWIND_FP_LOAD) {
		if (!stack_load(&cfa, cfa))
			return STACK_UNREADABLE;
		cfa += (__s64)rule->cfa_added;
	}
	if (rule->fp == UNWIND_FP_LOST)
		walk->fp = ~0ULL; /* whoever needs it finds nothing there */
	else if (rule->fp != UNWIND_FP_SAME &&
		 !stack_load(&walk->fp, (rule->fp == UNWIND_FP_AT_CFA ? cfa : bp) + (__s64)rule->fp_offset))
		return STACK_UNREADABLE;
	if (!stack_load(&walk->ip, cfa - 8))
		return STACK_UNREADABLE;
	walk->sp = cfa;
	walk->called = 1;
	return -1;
}

/* Registers as a perf_event program sees them (struct bpf_perf_event_data): those of the interrupted code. */
struct stack_registers {
	__u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8;
	__u64 ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};
#define USER_MODE 3
#define USER_CS_64 0x33

/* False: not of a 64-bit program. `here` may be NULL: in the kernel. */
static __always_inline bool stack_begin(struct stack_walk *walk, const struct stack_registers *here)
{
	struct pt_regs *user;

	if (here && here->cs & USER_MODE) {
		walk->ip = here->ip;
		walk->sp = here->sp;
		walk->fp = here->bp;
		return (__u16)here->cs == USER_CS_64;
	}
	user = (void *)task_registers();
	walk->ip = BPF_CORE_READ(user, ip);
	walk->sp = BPF_CORE_READ(user, sp);
	walk->fp = BPF_CORE_READ(user, bp);
	return registers_cs(user) == USER_CS_64;
}
