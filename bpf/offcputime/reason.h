/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a thread off its CPU waits for, as far as the kernel tells: a lock, by the tracepoints of contention (5.19), I/O, or, of
 * one that could run on, the next period of its cgroup's quota. User space has more by the functions of the kernel, among
 * which those of locks are not: stacks of tasks leave them out, with the scheduler's.
 */
#pragma once

#include "lock.h"
#include "offcputime.h"
#include "task.h"

#include "lib/core/start.h"
#include "lib/core/tracepoint.h"
#include "lib/sched/quota.h"

struct contended {
	__u64 lock; /* 0: it waits for none */
	__u32 tid;
};

static struct contended contended[START_LINES];

static __always_inline struct contended *contended_by(__u32 tid)
{
	struct contended *c = &contended[START_LINE(tid)];

	asm volatile("" : "+r"(c));
	return c;
}

/* The current thread's. A mutex is spun for and slept for by turns, and each is a beginning. */
TRACEPOINT(contention_begin, void *lock, unsigned int flags)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct contended *c = contended_by(tid);

	if ((flags & LCB_F_SPIN) && !(flags & LCB_F_MUTEX)) /* nobody leaves a CPU for it, and interrupts spin, too */
		return 0;
	c->tid = tid;
	c->lock = (__u64)lock;
	return 0;
}

TRACEPOINT(contention_end, void *lock)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct contended *c = contended_by(tid);

	if (c->tid == tid && c->lock == (__u64)lock)
		c->lock = 0;
	return 0;
}

/* When it leaves its CPU. `state`: the kernel's, 0 if it could run on. */
static __always_inline enum off_reason reason_to_leave(const bool typed, struct task_struct *task, __u32 tid, __u64 state)
{
	struct contended *c = contended_by(tid);

	if (!state)
		return has_no_quota(typed, task) ? OFF_QUOTA : OFF_UNKNOWN;
	return c->tid == tid && c->lock ? OFF_LOCK : OFF_UNKNOWN;
}

/* When it comes back. in_iowait is its own to change, and it has not run. */
static __always_inline enum off_reason reason_of(const bool typed, struct task_struct *task, enum off_reason known)
{
	bool io = typed ? BPF_CORE_READ_BITFIELD(task, in_iowait) : BPF_CORE_READ_BITFIELD_PROBED(task, in_iowait);

	return known == OFF_UNKNOWN && io ? OFF_IO : known;
}
