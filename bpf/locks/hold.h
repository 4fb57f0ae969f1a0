/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * For how long a thread has a lock: from the end of its wait for it until it wakes who waits next. No call and no tracepoint says
 * that a free lock is taken, so that this is known only of threads that have waited themselves, and only where they cannot have
 * released it unseen meanwhile:
 *	a mutex of a program is taken with the value 2 after a wait (as glibc, Rust and Go do), and whoever releases that calls
 *	futex(2), whether somebody waits or not;
 *	any lock is released with a wake-up if somebody waits, as who is woken did already when the owner got it.
 * Global functions are verified once, and not with each way of those that call them.
 */
#pragma once

#include "futex_call.h"

#include "lib/core/start.h"

struct hold {
	__u64 lock; /* its address */
	__u64 ts_ns; /* when the thread got it; 0: not known */
	__u32 tid; /* the kernel's */
	bool released; /* by the call that it is in, or that was its last one */
};

static struct hold holds[START_LINES];

/* A thread may have several; one that is overwritten by another's is not known any more. */
static __always_inline struct hold *hold_line(__u32 tid, __u64 lock)
{
	struct hold *h = &holds[START_LINE(tid ^ lock >> 4)];

	asm volatile("" : "+r"(h));
	return h;
}

__noinline int hold_begin(__u32 tid, __u64 lock, __u64 now)
{
	struct hold *h = hold_line(tid, lock);

	h->lock = lock;
	h->tid = tid;
	h->ts_ns = now;
	h->released = false;
	return 0;
}

/* It has it no more: it waits for it. */
__noinline int hold_forget(__u32 tid, __u64 lock)
{
	struct hold *h = hold_line(tid, lock);

	if (h->lock == lock && h->tid == tid)
		h->ts_ns = 0;
	return 0;
}

/* A call that wakes, whether somebody waits or not. */
__noinline int hold_release(__u32 tid, __u64 lock)
{
	struct hold *h = hold_line(tid, lock);

	if (h->lock != lock || h->tid != tid)
		return 0;
	if (h->released) /* it has got it again, without a wait */
		h->ts_ns = 0;
	h->released = true;
	return 0;
}

/* In ns, when the thread wakes who has waited for it since a time; 0: not known. */
__noinline __u64 hold_end(__u32 tid, __u64 lock, __u64 since_ns, __u64 now)
{
	struct hold *h = hold_line(tid, lock);
	__u64 ts_ns = h->ts_ns;

	if (h->lock != lock || h->tid != tid || !ts_ns)
		return 0;
	if (h->released)
		return now - ts_ns;
	h->ts_ns = 0;
	return since_ns <= ts_ns ? now - ts_ns : 0;
}
