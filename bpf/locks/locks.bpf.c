// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How long threads wait for futexes, from the beginning of the system call to its end, if it has waited; and for locks of the
 * kernel, from one tracepoint to the other. The waiter's stack is taken at the end, only of waits that count; that of the
 * thread which makes an end of the wait while that is running and knows why.
 */
#include "core.h"

#include "compat.h"
#include "iter.h"
#include "locks.h"

#include "futex_call.h"
#include "hold.h"
#include "kernel_lock.h"
#include "lib/core/filter_task.h"
#include "lib/core/hist.h"
#include "lib/core/start.h"
#include "lib/core/table.h"
#include "lib/user/stack.h"

#define EINTR 4
#define ETIMEDOUT 110
#define ERESTARTSYS 512 /* never seen by the program: a signal's handler runs, or the thread ends, and perhaps the call begins anew */
#define ERESTART_RESTARTBLOCK 516

const volatile __u32 by = LOCKS_BY_STACK;
const volatile bool in_slots;
const volatile __u32 types = (1 << LOCK_TYPES) - 1; /* bits of enum lock_type */
const volatile __u64 min_ns;

TABLE(waits, struct lock_key, struct lock_count, 16384);
HIST(slots);

/* A thread that waits. */
struct wait {
	__u32 tid; /* the kernel's */
	__u32 interrupted; /* the thread whose wait was here last, and goes on if it asks for that */
	__u64 ts_ns;
	struct wanted wanted;
};

/* In a system call; and in it, or elsewhere in the kernel. */
static struct wait starts[START_LINES], kernel_starts[START_LINES];

/* Those that keep their CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wait);
} spins SEC(".maps");

struct both_stacks {
	__u64 user, kernel;
};

/* Who has woken it last. */
struct waker {
	struct both_stacks stacks;
	__u64 held_ns, holds; /* for how long it had the lock, and 1; 0 and 0: not known */
	__u32 tgid, tid;
	char comm[16];
};

static struct waker wakers[START_LINES], kernel_wakers[START_LINES];

/* Of the current thread. */
static __always_inline struct both_stacks take_stacks(tp_ctx *ctx, bool with_kernel)
{
	struct both_stacks taken = {.user = stack_take_user()};

	if (with_kernel)
		taken.kernel = stack_take_kernel(ctx);
	return taken;
}

static __always_inline void begin_wait(struct wait *w, struct waker *waker, __u32 tid)
{
	__builtin_memset(waker, 0, sizeof(*waker));
	start_save(&w->tid, tid);
	w->interrupted = 0;
	w->ts_ns = bpf_ktime_get_ns();
}

/* The current thread has waited, and has got the lock if it was woken. */
__noinline int begin_hold(__u32 tid, bool in_kernel, __u32 result)
{
	const struct wanted *wanted = in_kernel ? &kernel_starts[START_LINE(tid)].wanted : &starts[START_LINE(tid)].wanted;

	if (result == WAIT_WOKEN && (wanted->type == LOCK_MUTEX || wanted->type == LOCK_PI || wanted->type >= LOCK_KERNEL))
		hold_begin(tid, wanted->lock, bpf_ktime_get_ns());
	return 0;
}

/* The current thread wakes another one, which waits. */
__noinline int end_hold(__u32 tid, bool in_kernel)
{
	const struct wait *w = in_kernel ? &kernel_starts[START_LINE(tid)] : &starts[START_LINE(tid)];
	struct waker *waker = in_kernel ? &kernel_wakers[START_LINE(tid)] : &wakers[START_LINE(tid)];

	waker->held_ns = hold_end(bpf_get_current_pid_tgid(), w->wanted.lock, w->ts_ns, bpf_ktime_get_ns());
	waker->holds = waker->held_ns != 0;
	return 0;
}

TRACEPOINT(sys_enter, struct pt_regs *regs, long nr)
{
	enum futex_kind kind = futex_kind(nr);
	struct wanted wanted;
	struct wait *w;
	__u32 tid;

	if (!kind || !filter_passes())
		return 0;
	tid = bpf_get_current_pid_tgid();
	if (kind == FUTEX_OLD || kind == FUTEX_WAKES) {
		__u64 lock = futex_released(kind, nr, (__u64)regs);

		if (lock)
			hold_release(tid, lock);
		if (lock || kind == FUTEX_WAKES)
			return 0;
	}
	w = &starts[START_LINE(tid)];
	if (kind == FUTEX_RESTART) {
		if (w->interrupted == tid)
			begin_wait(w, &wakers[START_LINE(tid)], tid);
		return 0;
	}
	if (!futex_wait_read(&wanted, kind, (__u64)regs) || !(types >> wanted.type & 1))
		return 0;
	if (wanted.type == LOCK_PI)
		futex_read_word_owner(&wanted);
	else if (wanted.type == LOCK_MUTEX)
		futex_read_libc_owner(&wanted, filter_pid_tgid());
	w->wanted = wanted;
	hold_forget(tid, wanted.lock);
	begin_wait(w, &wakers[START_LINE(tid)], tid);
	return 0;
}

/* Does the current thread end? Then the kernel wakes those that wait for that, and for robust locks that it has. */
static __always_inline bool exits(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	return (BPF_CORE_READ(task, flags) & (PF_EXITING | PF_KTHREAD)) == PF_EXITING;
}

/* Is it in a call that wakes? A timer and a signal make an end of waits, too, and the current thread may have no part in that. */
static __always_inline bool calls_futex(void)
{
	enum futex_kind kind = futex_kind(syscall_nr(task_registers()));

	return kind == FUTEX_OLD || kind == FUTEX_WAKES;
}

static __always_inline void fill_waker(tp_ctx *ctx, struct waker *waker, bool with_kernel)
{
	__u64 pid_tgid = filter_pid_tgid();

	waker->tgid = pid_tgid >> 32;
	waker->tid = pid_tgid;
	bpf_get_current_comm(waker->comm, sizeof(waker->comm));
	if (by == LOCKS_BY_STACK)
		waker->stacks = take_stacks(ctx, with_kernel);
}

/* The current thread wakes this one. */
TRACEPOINT(sched_waking, struct task_struct *task)
{
	__u32 tid = LOAD(task, pid), line = START_LINE(tid);
	bool in_kernel = kernel_starts[line].tid == tid, at_exit;
	struct wait *w = in_kernel ? &kernel_starts[line] : &starts[line];

	if (w->tid != tid)
		return 0;
	end_hold(tid, in_kernel);
	if (by == LOCKS_BY_LOCK || bpf_ktime_get_ns() - w->ts_ns < min_ns)
		return 0;
	at_exit = exits();
	if (in_kernel)
		fill_waker(ctx, &kernel_wakers[line], true);
	else if (at_exit || calls_futex())
		fill_waker(ctx, &wakers[line], at_exit); /* the kernel's part of a call says nothing */
	return 0;
}

/* enum wait_result, or -1: it has not waited. */
static __always_inline int result_of(long result)
{
	if (result >= 0) /* of futex_waitv(2) the number of the futex */
		return WAIT_WOKEN;
	if (result == -ETIMEDOUT)
		return WAIT_TIMEOUT;
	if (result == -EINTR || (result <= -ERESTARTSYS && result >= -ERESTART_RESTARTBLOCK))
		return WAIT_SIGNAL;
	return -1;
}

static __always_inline void fill_owner(struct lock_key *key, const struct wanted *wanted, const struct waker *waker)
{
	if (key->result == WAIT_WOKEN && waker && waker->comm[0]) {
		key->owner_tgid = waker->tgid;
		key->owner_source = OWNER_WAKER;
		key->owner_tid = by == LOCKS_BY_THREAD ? waker->tid : 0;
		__builtin_memcpy(key->owner_comm, waker->comm, sizeof(key->owner_comm));
		key->owner_user_stack = waker->stacks.user;
		key->owner_kernel_stack = waker->stacks.kernel;
		return;
	}
	key->owner_tgid = wanted->owner_tgid;
	key->owner_tid = by == LOCKS_BY_THREAD || !wanted->owner_comm[0] ? wanted->owner_tid : 0;
	key->owner_source = wanted->owner_source;
	__builtin_memcpy(key->owner_comm, wanted->owner_comm, sizeof(key->owner_comm));
}

static __always_inline void fill_waiter(tp_ctx *ctx, struct lock_key *key, bool in_kernel)
{
	__u64 pid_tgid = filter_pid_tgid();
	struct both_stacks stacks;

	key->tgid = pid_tgid >> 32;
	bpf_get_current_comm(key->comm, sizeof(key->comm));
	if (by == LOCKS_BY_THREAD) {
		key->tid = pid_tgid;
		return;
	}
	stacks = take_stacks(ctx, in_kernel);
	key->user_stack = stacks.user;
	key->kernel_stack = stacks.kernel;
}

static __always_inline struct lock_key key_of(const struct wanted *wanted, __u32 result)
{
	struct lock_key key = {.type = wanted->type, .result = result};

	if (wanted->type >= LOCK_KERNEL)
		key.kernel_lock = wanted->lock;
	else
		key.futex = wanted->lock;
	return key;
}

/* `waker` may be NULL. */
static __always_inline void add(const struct lock_key *key, const struct waker *waker, __u64 ns)
{
	static const struct lock_count zero;
	struct lock_count *n = table_find(&waits, key, &zero);

	if (!n)
		return;
	__sync_fetch_and_add(&n->wait_ns, ns);
	__sync_fetch_and_add(&n->count, 1);
	if (!waker)
		return;
	__sync_fetch_and_add(&n->held_ns, waker->held_ns);
	__sync_fetch_and_add(&n->holds, waker->holds);
}

/* `waker` may be NULL: nobody wakes who keeps its CPU. */
static __always_inline void count(tp_ctx *ctx, const struct wanted *wanted, const struct waker *waker, __u32 result, __u64 ns)
{
	bool in_kernel = wanted->type >= LOCK_KERNEL;
	struct lock_key key = key_of(wanted, result);

	if (by != LOCKS_BY_LOCK) {
		fill_owner(&key, wanted, waker);
		fill_waiter(ctx, &key, in_kernel);
	} else if (!in_kernel) {
		key.tgid = filter_pid_tgid() >> 32;
	}
	add(&key, waker, ns);
}

static __always_inline void end_wait(tp_ctx *ctx, const struct wait *w, const struct waker *waker, __u32 result)
{
	__u64 ns = bpf_ktime_get_ns() - w->ts_ns;

	if (ns < min_ns)
		return;
	if (in_slots)
		hist_add(&slots, ns);
	else
		count(ctx, &w->wanted, waker, result, ns);
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct wait *w = &starts[START_LINE(tid)];
	int how;

	if (!start_take(&w->tid, tid))
		return 0;
	how = result_of(result);
	begin_hold(tid, false, how);
	if (result == -ERESTART_RESTARTBLOCK)
		w->interrupted = tid;
	if (how >= 0)
		end_wait(ctx, w, &wakers[START_LINE(tid)], how);
	return 0;
}

static __always_inline struct wait *spinning(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&spins, &zero);
}

TRACEPOINT(contention_begin, void *lock, unsigned int flags)
{
	__u32 tid = bpf_get_current_pid_tgid(), type = kernel_lock_type(flags);
	struct wait *w = &kernel_starts[START_LINE(tid)];

	if (!(types >> type & 1) || !filter_passes())
		return 0;
	if (kernel_lock_spins(type)) {
		w = spinning();
		if (!w)
			return 0;
		if (w->wanted.lock) /* an interrupt spins, too; or an end was not seen */
			count_loss(LOSS_START);
		w->ts_ns = bpf_ktime_get_ns();
	} else if (type == LOCK_KERNEL_MUTEX && w->tid == tid && w->wanted.lock == (__u64)lock) {
		return 0; /* it spins and sleeps by turns, and begins each anew */
	} else {
		begin_wait(w, &kernel_wakers[START_LINE(tid)], tid);
	}
	kernel_lock_read(&w->wanted, (__u64)lock, type);
	return 0;
}

TRACEPOINT(contention_end, void *lock, int result)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct wait *w = &kernel_starts[START_LINE(tid)];
	__u32 how = result ? WAIT_SIGNAL : WAIT_WOKEN;

	if (w->tid == tid && w->wanted.lock == (__u64)lock) {
		w->tid = 0;
		begin_hold(tid, true, how);
		end_wait(ctx, w, &kernel_wakers[START_LINE(tid)], how);
		return 0;
	}
	w = spinning();
	if (!w || w->wanted.lock != (__u64)lock)
		return 0;
	end_wait(ctx, w, NULL, how);
	w->wanted.lock = 0;
	return 0;
}

/* A wait that goes on. The stack in the program is not to be had of a thread that sleeps. */
static __always_inline void end_unfinished(struct task_struct *task, struct wait *w)
{
	struct lock_key key = key_of(&w->wanted, WAIT_UNFINISHED);
	__u64 pid_tgid = task_pid_tgid(true, task), ns = bpf_ktime_get_ns() - w->ts_ns;
	bool in_kernel = w->wanted.type >= LOCK_KERNEL;

	if (ns < min_ns || !start_take(&w->tid, task->pid))
		return;
	if (by != LOCKS_BY_LOCK || !in_kernel)
		key.tgid = pid_tgid >> 32;
	if (by != LOCKS_BY_LOCK) {
		fill_owner(&key, &w->wanted, NULL);
		task_load_comm(true, key.comm, task);
	}
	if (by == LOCKS_BY_THREAD)
		key.tid = pid_tgid;
	if (by == LOCKS_BY_STACK && in_kernel)
		key.kernel_stack = stack_take_kernel_of(task);
	add(&key, NULL, ns);
}

/* Read when the run ends. */
SEC("iter/task") int unfinished__iter(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	__u32 line;

	if (!task || !task_state(true, task))
		return 0;
	line = START_LINE(task->pid);
	if (kernel_starts[line].tid == task->pid)
		end_unfinished(task, &kernel_starts[line]);
	if (starts[line].tid == task->pid)
		end_unfinished(task, &starts[line]);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
