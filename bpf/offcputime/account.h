/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where a thread's time went: on a CPU, blocked, or waiting for a CPU. Kept in a line for each thread, from one switch to the
 * next, so that nothing is between them, and counted when the thread or the run ends. A switch that this program was not run
 * for, as on a busy host, shows in the kernel's count of arrivals; the kernel's own account then has the time since. The wall
 * time beside it is the kernel's (start_time), so that what is missing shows.
 */
#pragma once

#include "compat.h"
#include "offcputime.h"

#include "lib/core/filter_task.h"
#include "lib/core/start.h"
#include "lib/core/table.h"

TABLE(accounts, struct account_key, struct account_count, 16384);

/* What the kernel keeps of a task. */
struct kept {
	__u64 arrivals, delay_ns, exec_ns;
};

struct account {
	__u32 tid; /* the kernel's; 0: free */
	__u16 on; /* it has a CPU */
	__u16 runnable; /* it left its CPU, but could have run on */
	__u32 exited; /* the thread that had the line last, until `since`: what follows is not counted */
	__u32 zero;
	__u64 since; /* when it got its CPU, or left it */
	struct kept kept; /* then */
	struct account_count sum;
};

static struct account accounts_open[START_LINES];

static __always_inline void account_read(const bool typed, struct kept *kept, struct task_struct *task)
{
	kept->arrivals = LOAD(task, sched_info.pcount);
	kept->delay_ns = LOAD(task, sched_info.run_delay);
	kept->exec_ns = LOAD(task, se.sum_exec_runtime);
}

static __always_inline __u64 account_birth(const bool typed, struct task_struct *task, __u64 began_ns)
{
	__u64 birth = LOAD(task, start_time);

	return birth > began_ns ? birth : began_ns;
}

/*
 * Of a task that is wanted; `on`: what it has done since the run began, if it was not seen before. One that began later may
 * have run under another name. NULL: its account is closed.
 */
static __always_inline struct account *account_of(const bool typed, struct task_struct *task, const struct kept *kept,
						  bool on, __u64 began_ns)
{
	static const struct kept nothing;
	__u32 tid = LOAD(task, pid);
	__u64 birth = account_birth(typed, task, began_ns);
	struct account *a = &accounts_open[START_LINE(tid)];
	bool is_new = birth > began_ns;

	if (a->tid == tid)
		return a;
	if (a->exited == tid && birth <= a->since)
		return NULL;
	start_save(&a->tid, tid);
	a->since = birth;
	a->on = on && !is_new;
	a->runnable = false;
	a->kept = is_new ? nothing : *kept;
	__builtin_memset(&a->sum, 0, sizeof(a->sum));
	return a;
}

static __always_inline void account_close(const bool typed, struct task_struct *task, __u64 pid_tgid, struct account *a,
					  __u64 began_ns, __u64 now)
{
	static const struct account_count zero;
	struct account_key key = {.tgid = pid_tgid >> 32, .tid = pid_tgid};
	struct account_count *n;

	task_load_comm(typed, key.comm, task);
	n = table_find(&accounts, &key, &zero);
	a->since = now;
	if (!n)
		return;
	__sync_fetch_and_add(&n->wall_ns, now - account_birth(typed, task, began_ns));
	__sync_fetch_and_add(&n->on_ns, a->sum.on_ns);
	__sync_fetch_and_add(&n->blocked_ns, a->sum.blocked_ns);
	__sync_fetch_and_add(&n->wait_ns, a->sum.wait_ns);
}

static __always_inline void account_off(struct account *a, __u64 off_ns, __u64 wait_ns)
{
	if (wait_ns > off_ns)
		wait_ns = off_ns;
	a->sum.wait_ns += wait_ns;
	a->sum.blocked_ns += off_ns - wait_ns;
}

/* The time until now, in which a switch was missed. */
static __always_inline void account_missed(struct account *a, const struct kept *kept, __u64 now)
{
	__u64 ns = now - a->since, on_ns = kept->exec_ns - a->kept.exec_ns;

	if (on_ns > ns)
		on_ns = ns;
	a->sum.on_ns += on_ns;
	account_off(a, ns - on_ns, kept->delay_ns - a->kept.delay_ns);
}

/* What follows is not counted. The time: read after it, for where tracepoints are preemptible the program may lose its CPU here. */
static __always_inline __u64 account_shut(struct account *a)
{
	a->exited = a->tid;
	a->tid = 0;
	return bpf_ktime_get_ns();
}

static __always_inline void account_leave(const bool typed, struct task_struct *prev, __u64 pid_tgid, __u64 state,
					  bool exits, __u64 began_ns, __u64 now)
{
	struct account *a;
	struct kept kept;

	account_read(typed, &kept, prev);
	a = account_of(typed, prev, &kept, true, began_ns);
	if (!a)
		return;
	if (exits)
		now = account_shut(a);
	if (a->on && kept.arrivals == a->kept.arrivals)
		a->sum.on_ns += now - a->since;
	else
		account_missed(a, &kept, now);
	a->on = false;
	a->runnable = !state;
	a->since = now;
	a->kept = kept;
	if (exits)
		account_close(typed, prev, pid_tgid, a, began_ns, now);
}

/* The kernel takes the account of `next` after this. Where its wait is not known, as it was about to sleep, it was runnable. */
static __always_inline void account_arrive(const bool typed, struct task_struct *next, __u64 clock, __u64 began_ns,
					   __u64 now)
{
	__u64 queued = LOAD(next, sched_info.last_queued);
	struct account *a;
	struct kept kept;

	account_read(typed, &kept, next);
	a = account_of(typed, next, &kept, false, began_ns);
	if (!a)
		return;
	if (queued && clock > queued)
		kept.delay_ns += clock - queued;
	if (a->on || kept.arrivals != a->kept.arrivals)
		account_missed(a, &kept, now);
	else
		account_off(a, now - a->since, a->runnable && !queued ? now - a->since : kept.delay_ns - a->kept.delay_ns);
	kept.arrivals++;
	a->on = true;
	a->since = now;
	a->kept = kept;
}

/* At the end of the run. */
static __always_inline void account_settle(struct task_struct *task, __u64 pid_tgid, __u64 began_ns, __u64 now)
{
	struct account *a;
	struct kept kept;
	__u64 ns;

	account_read(true, &kept, task);
	a = account_of(true, task, &kept, !task_state(true, task), began_ns);
	if (!a)
		return;
	ns = now - a->since;
	if (kept.arrivals != a->kept.arrivals)
		account_missed(a, &kept, now);
	else if (a->on)
		a->sum.on_ns += ns;
	else
		account_off(a, ns, a->runnable ? ns : 0);
	account_shut(a);
	account_close(true, task, pid_tgid, a, began_ns, now);
}
