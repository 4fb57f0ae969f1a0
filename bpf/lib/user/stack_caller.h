/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The stack of the function that a uretprobe's function returns to: nothing must be known of the code that returns. */
#pragma once

#include <bpf/bpf_tracing.h>

#include "lib/user/stack.h"

#if defined(__TARGET_ARCH_x86)
/* Its registers; of its code the instruction before counts, which is the call. */
static __always_inline struct stack_registers stack_caller(struct pt_regs *ctx)
{
	struct stack_registers caller = {
		.ip = PT_REGS_IP(ctx) - 1,
		.sp = PT_REGS_SP(ctx),
		.bp = PT_REGS_FP(ctx),
		.cs = USER_CS_64,
	};

	return caller;
}
#else
static __always_inline struct stack_registers stack_caller(struct pt_regs *ctx)
{
	struct stack_registers caller = {.pc = PT_REGS_IP(ctx) - 1, .sp = PT_REGS_SP(ctx)};

	caller.regs[29] = ctx->user_regs.regs[29];
	return caller;
}
#endif

/* The key in `stacks`, or 0: none, or a loss. */
static __always_inline __u64 stack_take_caller(struct pt_regs *ctx)
{
	struct stack_registers caller = stack_caller(ctx);

	return stack_take_user_at(&caller);
}
