/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The stack of the current task, user and kernel part, by value. The user part is walked by the
 * tables of its files (lib/user/unwind_wire.h), by frame pointers only in code of which no file says
 * anything: a walk by frame pointers does not notice that rbp is a number, and invents frames. A walk
 * is whole, or says why it is not. No address is kept that lies in no executable mapping.
 *
 * Global functions without arguments, with their state in a per-CPU map: the verifier walks each
 * loop once, and one program is enough for 128 frames on every kernel from 5.10 on. Rejected: tail
 * calls (a few frames each), bpf_loop() (5.17), copies of the stack for user space to walk (8 KiB each).
 */
#pragma once

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

const volatile bool stack_kernel = true;
const volatile bool stack_innermost; /* that function alone, of the kernel if it runs */

static __always_inline bool stack_load(__u64 *to, __u64 from)
{
	if (bpf_probe_read_user(to, sizeof(*to), (void *)from))
		return false;
	if (stack_remembers)
		stack_keep_word(from, *to);
	return true;
}

/* Those that the task had when it entered the kernel lie at the end of its stack. bpf_task_pt_regs() is of 5.15. */
static __always_inline struct pt_regs *stack_user_registers(void)
{
	const __u32 stack_bytes = 16384;
	struct task_struct *task;

	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_task_pt_regs))
		return (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	task = (void *)bpf_get_current_task();
	return BPF_CORE_READ(task, stack) + stack_bytes - bpf_core_type_size(struct pt_regs);
}

/* The registers that the kernel put where the signal's handler found them (struct rt_sigframe of x86-64). */
static __always_inline int stack_leave_signal(struct stack_walk *walk)
{
	__u64 sp = walk->sp;

	if (!stack_load(&walk->bp, sp + 120) || !stack_load(&walk->sp, sp + 160) || !stack_load(&walk->ip, sp + 168))
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
	__u64 bp = walk->bp;
	bool below = bp < walk->sp;

	if (!bp)
		return STACK_WHOLE;
	if (!stack_load(&walk->bp, bp) || !stack_load(&walk->ip, bp + 8))
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
	struct pt_regs *registers = stack_user_registers();

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
	__u64 cfa = (rule->cfa == UNWIND_RBP || rule->cfa == UNWIND_RBP_LOAD ? walk->bp : walk->sp) + (__s64)rule->cfa_offset;
	__u64 bp = walk->bp;

	if (rule->cfa == UNWIND_PLT)
		cfa = walk->sp + 8 + ((walk->ip & 15) >= (__u64)rule->cfa_added) * 8;
	if (rule->cfa == UNWIND_RSP_RDI)
		return stack_leave_by_rdi(walk, cfa);
	if (rule->cfa == UNWIND_RSP_LOAD || rule->cfa == UNWIND_RBP_LOAD) {
		if (!stack_load(&cfa, cfa))
			return STACK_UNREADABLE;
		cfa += (__s64)rule->cfa_added;
	}
	if (rule->rbp == UNWIND_RBP_LOST)
		walk->bp = ~0ULL; /* whoever needs it finds nothing there */
	else if (rule->rbp != UNWIND_RBP_SAME &&
		 !stack_load(&walk->bp, (rule->rbp == UNWIND_RBP_AT_CFA ? cfa : bp) + (__s64)rule->rbp_offset))
		return STACK_UNREADABLE;
	if (!stack_load(&walk->ip, cfa - 8))
		return STACK_UNREADABLE;
	walk->sp = cfa;
	walk->called = 1;
	return -1;
}

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
	struct pt_regs *registers = stack_user_registers();

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

/* Registers as a perf_event program sees them (struct bpf_perf_event_data): those of the interrupted code. */
#if defined(__TARGET_ARCH_x86)
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
		walk->bp = here->bp;
		return (__u16)here->cs == USER_CS_64;
	}
	user = stack_user_registers();
	walk->ip = BPF_CORE_READ(user, ip);
	walk->sp = BPF_CORE_READ(user, sp);
	walk->bp = BPF_CORE_READ(user, bp);
	return registers_cs(user) == USER_CS_64;
}
#else
struct stack_registers {
	__u64 pc;
};

static __always_inline bool stack_begin(struct stack_walk *walk, const struct stack_registers *here)
{
	return false;
}
#endif

static __always_inline __u32 stack_user_part(struct stack_walk *walk, const struct stack_registers *here)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	if (stack_innermost && walk->stack.kernel_frames) {
		walk->stack.kernel_frames = 1;
		return STACK_WHOLE;
	}
	if (!stack_user || BPF_CORE_READ(task, flags) & (PF_KTHREAD | PF_IO_WORKER) || !walk->tgid)
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
