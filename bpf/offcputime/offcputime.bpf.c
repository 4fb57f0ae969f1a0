// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How long threads are off the CPU, by stack: from the switch away from one to the next switch to it. The user part of its
 * stack is there when it leaves, and never after it; the kernel part is as it was when it comes back, so that it is taken
 * then, and only of stretches that count. A raw tracepoint has no typed pointer to it, and takes both at first.
 *
 * Threads that sleep when the run begins, or ends, are found by an iterator over all tasks, once then and once then. The second
 * one sets ended_ns at first, from when on no other program counts: nothing is counted twice.
 */
#include "core.h"

#include "compat.h"
#include "iter.h"
#include "offcputime.h"

#include "account.h"
#include "chain.h"
#include "lib/core/filter_free.h"
#include "lib/core/filter_task.h"
#include "lib/core/hist.h"
#include "lib/core/start.h"
#include "lib/core/table.h"
#include "lib/sched/switch.h"
#include "lib/user/stack.h"
#include "reason.h"

const volatile bool account, in_slots;
const volatile bool with_wakers; /* with who ends the sleep, and from where */
const volatile bool wakers_alone; /* of them: instead of where it slept, until then */
const volatile bool in_chains; /* of them: with who woke those */
const volatile bool user_threads, kernel_threads; /* only these */
#define ALL_STATES ((1 << OFF_STATES) - 1)
const volatile __u32 states = ALL_STATES; /* bits of enum off_state */
const volatile __u64 min_ns, max_ns;

TABLE(stretches, struct off_key, struct off_count, 16384);
TABLE(wakes, struct wake_key, struct off_count, 16384);
HIST(slots);

/* A thread when it left its CPU last. */
struct left {
	__u32 tid; /* the kernel's */
	__u16 state; /* as the kernel has it: below TASK_STATE_MAX, and 0 if it could have run on */
	__u8 slept : 1; /* when the run began: its stack was not taken */
	__u8 unwanted : 1; /* but may wake one that is */
	__u8 reason; /* enum off_reason, as far as it was known then */
	__u64 ts_ns; /* 0: it has come back, or is not asked for */
	__u64 user_stack, kernel_stack;
	__u64 arrivals; /* as the kernel counts them, so that those that were not seen show */
};

static struct left threads[START_LINES];

static __always_inline struct left *left_of(__u32 tid)
{
	struct left *l = &threads[START_LINE(tid)];

	asm volatile("" : "+r"(l)); /* it is computed once, and not for each member */
	return l;
}

/* Who woke it since. */
struct waker {
	__u64 user_stack, kernel_stack;
	__u32 tgid;
	char comm[16];
};

static struct waker wakers[START_LINES];
static volatile __u64 began_ns, ended_ns;

static __always_inline __u32 off_state(__u64 state)
{
	if (!state)
		return OFF_RUNNABLE;
	if (state & TASK_UNINTERRUPTIBLE)
		return state & TASK_NOLOAD ? OFF_IDLE : OFF_UNINTERRUPTIBLE;
	if (state & TASK_INTERRUPTIBLE)
		return OFF_SLEEPING;
	if (state & (TASK_STOPPED | TASK_TRACED))
		return OFF_STOPPED;
	return state & TASK_PARKED ? OFF_PARKED : OFF_UNINTERRUPTIBLE; /* frozen, or for a lock of PREEMPT_RT */
}

static __always_inline bool state_is_wanted(__u64 state)
{
	return states == ALL_STATES || states >> off_state(state) & 1;
}

static __always_inline bool kind_is_wanted(const bool typed, struct task_struct *task)
{
	bool is_kernel;

	if (!user_threads && !kernel_threads)
		return true;
	is_kernel = LOAD(task, flags) & PF_KTHREAD;
	return is_kernel == kernel_threads;
}

static __always_inline bool task_is_wanted(const bool typed, struct task_struct *task, __u64 pid_tgid)
{
	return filter_passes_task(typed, task, pid_tgid) && kind_is_wanted(typed, task);
}

/* Until the thread comes back. */
static __always_inline void save(const bool typed, struct left *l, struct task_struct *task, __u32 tid, __u64 state,
				 __u64 ts_ns)
{
	__u64 arrivals = LOAD(task, sched_info.pcount);

	if (l->tid == tid && arrivals > l->arrivals + 1)
		add_loss(LOSS_UNSEEN, arrivals - l->arrivals - 1);
	else if (l->ts_ns) /* the end of a stretch of this thread, or of another one */
		count_loss(l->tid == tid ? LOSS_UNSEEN : LOSS_START);
	l->tid = tid;
	l->state = state;
	l->reason = in_slots ? OFF_UNKNOWN : reason_to_leave(typed, task, tid, state);
	l->slept = false;
	l->ts_ns = state_is_wanted(state) || in_chains ? ts_ns : 0;
	l->arrivals = arrivals;
}

/* Whoever sleeps may wake another one. Is it wanted itself? */
static __always_inline bool begin_chain(struct left *l, __u32 tid, bool wanted)
{
	if (l->state)
		chain_begin(tid);
	l->unwanted = !l->state || !wanted || !state_is_wanted(l->state);
	return !l->unwanted;
}

static __always_inline void leave(const bool typed, tp_ctx *ctx, bool preempt, struct task_struct *prev, __u64 now)
{
	__u64 pid_tgid = task_pid_tgid(typed, prev), state;
	__u32 tid = LOAD(prev, pid);
	struct left *l;

	if (!tid || !(task_is_wanted(typed, prev, pid_tgid) || in_chains))
		return;
	state = preempt ? 0 : task_state(typed, prev);
	if (account) {
		account_leave(typed, prev, pid_tgid, state, state & TASK_DEAD, began_ns, now);
		return;
	}
	if (state & TASK_DEAD)
		return;
	l = left_of(tid);
	save(typed, l, prev, tid, state, now);
	if (!l->ts_ns)
		return;
	if (with_wakers) {
		if (wakers_alone || (in_chains && !begin_chain(l, tid, task_is_wanted(typed, prev, pid_tgid))))
			return;
		__builtin_memset(&wakers[START_LINE(tid)], 0, sizeof(struct waker));
	}
	l->user_stack = stack_take_user();
	if (!typed)
		l->kernel_stack = stack_take_kernel(ctx);
}

static __always_inline void add(struct off_count *n, __u64 ns)
{
	if (!n)
		return;
	__sync_fetch_and_add(&n->off_ns, ns);
	__sync_fetch_and_add(&n->count, 1);
}

static __always_inline void fill_key(const bool typed, struct off_key *key, const struct left *l, struct task_struct *task)
{
	key->tgid = task_pid_tgid(typed, task) >> 32;
	key->state = off_state(l->state);
	key->reason = reason_of(typed, task, l->reason);
	task_load_comm(typed, key->comm, task);
	if (wakers_alone)
		return;
	key->user_stack = l->slept ? stack_take_missed(STACK_ASLEEP) : l->user_stack;
	key->kernel_stack = typed ? stack_take_kernel_of(task) : l->kernel_stack;
}

static __always_inline void count_wake(const bool typed, const struct left *l, const struct waker *waker,
				       struct task_struct *task, __u64 ns)
{
	static const struct off_count zero;
	struct wake_key key = {
		.waker_user_stack = waker->user_stack,
		.waker_kernel_stack = waker->kernel_stack,
		.waker_tgid = waker->tgid,
	};

	__builtin_memcpy(key.waker_comm, waker->comm, sizeof(key.waker_comm));
	fill_key(typed, &key.off, l, task);
	add(table_find(&wakes, &key, &zero), ns);
}

static __always_inline void count_chain(const bool typed, const struct left *l, struct task_struct *task, __u64 ns)
{
	static const struct off_count zero;
	struct chain *chain = chain_of(l->tid);

	if (!chain || l->unwanted)
		return;
	fill_key(typed, &chain->key.off, l, task);
	add(table_find(&chains, &chain->key, &zero), ns);
}

static __always_inline void count(const bool typed, const struct left *l, struct task_struct *task, __u64 ns)
{
	static const struct off_count zero;
	struct off_key key = {};

	fill_key(typed, &key, l, task);
	add(table_find(&stretches, &key, &zero), ns);
}

static __always_inline bool lasted(__u64 ns)
{
	return ns >= min_ns && (!max_ns || ns <= max_ns);
}

/* The stretch off the CPU of a task ends, or the run does. */
static __always_inline void end_stretch(const bool typed, struct left *l, struct task_struct *task, __u64 now)
{
	__u64 ns = now - l->ts_ns;

	l->ts_ns = 0;
	if (!lasted(ns))
		return;
	if (in_slots)
		hist_add(&slots, ns);
	else if (!with_wakers)
		count(typed, l, task, ns);
	else if (in_chains)
		count_chain(typed, l, task, ns);
	else if (!wakers_alone)
		count_wake(typed, l, &wakers[START_LINE(l->tid)], task, ns);
}

static __always_inline void arrive(const bool typed, struct task_struct *prev, struct task_struct *next, __u64 now)
{
	__u32 tid = LOAD(next, pid);
	struct left *l;

	if (account) {
		if (tid && kind_is_wanted(typed, next) && filter_passes_task(typed, next, task_pid_tgid(typed, next)))
			account_arrive(typed, next, switch_clock(typed, prev), began_ns, now);
		return;
	}
	l = left_of(tid);
	if (l->ts_ns && l->tid == tid)
		end_stretch(typed, l, next, now);
}

TRACEPOINT(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 now = bpf_ktime_get_ns();

	if (ended_ns)
		return 0;
	if (!began_ns || (filter_root && filter_waits)) /* a command begins when it is let go, at this switch to it */
		began_ns = now;
	leave(typed, ctx, preempt, prev, now);
	arrive(typed, prev, next, now);
	return 0;
}

static __always_inline void fill_waker(struct waker *waker, tp_ctx *ctx)
{
	waker->tgid = filter_pid_tgid() >> 32;
	bpf_get_current_comm(waker->comm, sizeof(waker->comm));
	waker->user_stack = stack_take_user();
	waker->kernel_stack = stack_take_kernel(ctx);
}

/* The current task wakes this one, or what interrupts it does. sched_wakeup may come from the CPU where the task is to run. */
TRACEPOINT(sched_waking, struct task_struct *task)
{
	__u32 tid = LOAD(task, pid);
	struct left *l = left_of(tid);
	struct waker waker = {};
	__u64 now, ns;

	if (ended_ns || l->tid != tid || !l->ts_ns || !l->state)
		return 0;
	now = bpf_ktime_get_ns();
	if (in_chains) {
		chain_wake(ctx, tid, l->ts_ns, now);
		return 0;
	}
	ns = now - l->ts_ns;
	if (!lasted(ns) && wakers_alone)
		return 0;
	fill_waker(&waker, ctx);
	if (!wakers_alone) {
		wakers[START_LINE(tid)] = waker;
		return 0;
	}
	l->ts_ns = 0;
	count_wake(typed, l, &waker, task, ns);
	return 0;
}

/*
 * A thread's account ends here: its process may be gone, and the run with it, before the thread leaves its CPU for good. It is
 * the current task.
 */
TRACEPOINT_AT(thread_exit, "sched_process_exit", struct task_struct *task)
{
	__u64 pid_tgid = task_pid_tgid(typed, task);

	if (!ended_ns && kind_is_wanted(typed, task) && filter_passes_task(typed, task, pid_tgid))
		account_leave(typed, task, pid_tgid, 0, true, began_ns, bpf_ktime_get_ns());
	return 0;
}

static __u64 first_look; /* the number of the iteration when the run began */

/* A thread that has not been seen since the run began, and sleeps: a stretch that began before. */
static __always_inline void save_asleep(struct task_struct *task, struct left *l)
{
	__u64 state = task_state(true, task);

	if (l->tid == task->pid || !state)
		return;
	save(true, l, task, task->pid, state, began_ns);
	l->slept = true;
	if (in_chains)
		begin_chain(l, task->pid, true);
}

SEC("iter/task") int each_task__iter(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct left *l;
	__u64 pid_tgid;

	if (!task)
		return 0;
	if (!began_ns) /* no CPU has switched yet */
		began_ns = bpf_ktime_get_ns();
	if (!first_look)
		first_look = ctx->meta->session_id;
	else if (ctx->meta->session_id != first_look && !ended_ns)
		ended_ns = bpf_ktime_get_ns();
	pid_tgid = task_pid_tgid(true, task);
	if (!task->pid || !filter_passes_task(true, task, pid_tgid) || !kind_is_wanted(true, task) ||
	    task_state(true, task) & TASK_DEAD)
		return 0;
	l = left_of(task->pid);
	if (!ended_ns && !account)
		save_asleep(task, l);
	else if (ended_ns && account)
		account_settle(task, pid_tgid, began_ns, ended_ns);
	else if (ended_ns && l->ts_ns && l->tid == task->pid)
		end_stretch(true, l, task, ended_ns);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
