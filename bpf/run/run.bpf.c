// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What every program of `strata run` is loaded beside: the ring buffer of its records, the counters of what was lost, the filters
 * for tasks, and walks of stacks. The programs themselves are made by src/expr, of what the user wrote.
 */
#include "core.h"

#include <asm/unistd.h>

#include "run.h"

#include "lib/core/filter.h"
#include "lib/user/stack.h"
#include "lib/user/stack_caller.h"

/* The first of a command's doings, as strace has it, is its execve(2), though strata's child calls it. */
static __always_inline bool run_asks_for_exec(void)
{
	__s64 call;

	if (!filter_root || !filter_waits || filter_pid_tgid() >> 32 != filter_root)
		return false;
	call = registers_system_call((void *)task_registers());
	return call == __NR_execve || call == __NR_execveat;
}

/* Its instructions go behind those of each program that filters, which calls them; itself it never runs. */
SEC("raw_tp") int run_wanted(void *ctx)
{
	return filter_passes() || (run_asks_for_exec() && filter_task_is_wanted_if(filter_pid_tgid(), true));
}

/*
 * A program that wants a stack of user space has two halves, with a walk between them. Each goes to the next by a tail call, so
 * that each has all 512 bytes of the stack. Rejected: the walk as functions of the program, as what the user wrote has what is left.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct run_walk);
} run_walks SEC(".maps");

/* The kernel wants programs of one type in such an array. */
#define HALVES(of)                                 \
	struct {                                   \
		__uint(type, BPF_MAP_TYPE_PROG_ARRAY); \
		__uint(max_entries, 1); /* sized before loading */ \
		__type(key, __u32);                \
		__type(value, __u32);              \
	} of SEC(".maps")

HALVES(run_halves_raw);
HALVES(run_halves_tracepoint);
HALVES(run_halves_perf);
HALVES(run_halves_probe);

static __always_inline int run_the_rest(void *ctx, void *halves, __u64 stack)
{
	__u32 zero = 0;
	struct run_walk *run = bpf_map_lookup_elem(&run_walks, &zero);

	if (!run)
		return 0;
	run->stack = stack;
	bpf_tail_call(ctx, halves, run->rest);
	__sync_fetch_and_add(&run->users, -1); /* not reached: it is there */
	return 0;
}

SEC("raw_tp") int run_walk_raw(void *ctx)
{
	return run_the_rest(ctx, &run_halves_raw, stack_take_user());
}

SEC("tracepoint") int run_walk_tracepoint(void *ctx)
{
	return run_the_rest(ctx, &run_halves_tracepoint, stack_take_user());
}

SEC("perf_event") int run_walk_perf(struct stack_registers *ctx)
{
	return run_the_rest(ctx, &run_halves_perf, stack_take_user_at(ctx));
}

SEC("kprobe") int run_walk_kernel(struct pt_regs *ctx)
{
	return run_the_rest(ctx, &run_halves_probe, stack_take_user());
}

SEC("kprobe") int run_walk_user(struct pt_regs *ctx)
{
	return run_the_rest(ctx, &run_halves_probe, stack_take_user_at((struct stack_registers *)ctx));
}

SEC("kprobe") int run_walk_caller(struct pt_regs *ctx)
{
	return run_the_rest(ctx, &run_halves_probe, stack_take_caller(ctx));
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
