/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A call of a function in user space, at its first instruction: its arguments, and at its end where
 * it returns to. 32-bit code of x86 has all of them on its stack; a library says which code it is.
 */
#pragma once

#include "task.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#if defined(__TARGET_ARCH_x86)
/* What the return has taken from the stack: the address that it went to. */
#define USER_RETURN_BYTES(narrow) ((narrow) ? 4 : 8)
#define USER_REGISTER_ARGS 6
#define USER_FIRST_STACK_ARG 8
#elif defined(__TARGET_ARCH_arm64)
#define USER_RETURN_BYTES(narrow) 0
#define USER_REGISTER_ARGS 8
#define USER_FIRST_STACK_ARG 0
#endif

/* 0 if it cannot be read. */
static __always_inline __u64 user_word(__u64 address, bool narrow)
{
	__u64 wide = 0;
	__u32 half = 0;

	if (!narrow) {
		bpf_probe_read_user(&wide, sizeof(wide), (void *)address);
		return wide;
	}
	bpf_probe_read_user(&half, sizeof(half), (void *)address);
	return half;
}

/*
 * Has a call whose stack pointer was `sp` neither returned nor been left? With a uretprobe at it the kernel has put the
 * address of its trampoline there, which begins a page. Only where return addresses are in the stack.
 */
static __always_inline bool user_call_is_open(__u64 sp, bool narrow)
{
#if defined(__TARGET_ARCH_x86)
	__u64 to = user_word(sp, narrow);

	return to && !(to & 4095);
#else
	return true;
#endif
}

/* Argument n, from 0 on, a constant. */
static __always_inline __u64 user_arg(struct pt_regs *ctx, bool narrow, const int n)
{
	__u64 sp = PT_REGS_SP(ctx);

	if (narrow)
		return user_word(sp + 4 + 4 * n, true);
	if (n >= USER_REGISTER_ARGS)
		return user_word(sp + USER_FIRST_STACK_ARG + 8 * (n - USER_REGISTER_ARGS), false);
	switch (n) {
	case 0:
		return PT_REGS_PARM1(ctx);
	case 1:
		return PT_REGS_PARM2(ctx);
	case 2:
		return PT_REGS_PARM3(ctx);
	case 3:
		return PT_REGS_PARM4(ctx);
	case 4:
		return PT_REGS_PARM5(ctx);
#if defined(__TARGET_ARCH_x86)
	default:
		return ctx->r9;
#else
	case 5:
		return ctx->user_regs.regs[5];
	case 6:
		return ctx->user_regs.regs[6];
	default:
		return ctx->user_regs.regs[7];
#endif
	}
}
