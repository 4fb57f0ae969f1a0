// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How long threads wait for a CPU. A task carries the time when it was queued, by the clock of
 * the run queue, so one program at the switch does, before the kernel takes the task's account.
 */
#include "core.h"

#include "compat.h"
#include "sched.h"

#include "lib/core/filter_free.h"
#include "lib/core/filter_task.h"
#include "lib/core/hist_groups.h"
#include "lib/core/start.h"
#include "lib/core/thinning.h"
#include "lib/sched/switch.h"
#include "runqlat.h"

#define KEYS 65536

enum loss_of_runqlat { LOSS_MOVED = LOSS_TOOL, LOSS_NO_TIME, LOSS_UNSEEN };

const volatile __u32 by; /* sched_by; 0: one histogram for all */
const volatile bool listed; /* single waits instead */
const volatile __u64 slower_ns;

HISTS(waits, 1);
HIST_BY(waits_by, struct runqlat_key, KEYS);

/*
 * What is known of a thread since it last got a CPU: the kernel begins a wait anew where it moves
 * a task to another CPU, and sets no time where it takes the CPU from a task that is about to sleep.
 */
struct known {
	__u32 tid;
	__u32 group; /* of its waits (lib/core/hist_groups.h) */
	__u64 run_delay;
	__u64 put_aside; /* when, if so */
	__u64 pcount;
};

static struct known threads[START_LINES];
static __u64 since; /* the clock at the first switch, or GAPS */
#define GAPS (~0ULL) /* the switches are thinned, or were until now */

struct wait {
	__u64 lat_ns;
	__u64 moved_ns;
};

/* The CPU is taken from prev, which has not gone to sleep yet but says that it does. */
static __always_inline void put_aside(const bool typed, struct task_struct *prev, __u64 clock)
{
	__u32 tid = LOAD(prev, pid);
	struct known *k = &threads[START_LINE(tid)];

	if (k->tid == tid && task_state(typed, prev))
		k->put_aside = clock;
}

/* Threads that do not pass may do so later, under another name, in another group, or as the command: they are known too. */
static __always_inline bool may_pass_later(void)
{
	return filter_by_comm || filter_by_cgroup || filter_by_groups || (filter_root && filter_waits);
}

/*
 * What it waited before it came to this CPU's queue. A thread that got a CPU more often than this program was run (a busy
 * host may skip it) has waits that were not seen. Thinned, most threads are not known: what is moved then counts from there.
 */
static __always_inline __u64 waited_elsewhere(const struct switch_info *info, const struct known *k, __u32 tid,
					      __u64 clock, bool wanted)
{
	if (!info->pcount)
		return info->run_delay;
	if (k->tid == tid && k->pcount + 1 == info->pcount)
		return info->run_delay - k->run_delay;
	if (since == GAPS && !is_thinned())
		since = clock;
	if (!wanted || info->last_arrival <= since)
		return 0;
	if (k->tid == tid && k->pcount < info->pcount)
		add_loss(LOSS_UNSEEN, info->pcount - k->pcount - 1);
	else
		count_loss(LOSS_MOVED);
	return 0;
}

/* The wait of a task that gets the CPU. False: not known. */
static __always_inline bool end_wait(struct wait *w, const struct switch_info *info, __u32 tid, __u64 clock,
				     bool wanted)
{
	struct known *k = &threads[START_LINE(tid)];
	__u64 queued = info->last_queued, here = 0;

	if (queued && clock > queued)
		here = clock - queued;
	w->moved_ns = waited_elsewhere(info, k, tid, clock, wanted);
	w->lat_ns = w->moved_ns + here;
	if (!queued && k->tid == tid && k->pcount + 1 == info->pcount && k->put_aside && clock > k->put_aside) {
		w->lat_ns += clock - k->put_aside;
		queued = k->put_aside;
	}
	k->tid = tid;
	k->run_delay = info->run_delay + here;
	k->pcount = info->pcount;
	k->put_aside = 0;
	return queued;
}

static __always_inline void send(const bool typed, const struct wait *w, struct task_struct *prev,
				 struct task_struct *next, __u64 pid_tgid, __u64 clock)
{
	struct runqlat_wait *e;
	__u64 prev_ids = filter_pid_tgid();
	bool prev_idle = LOAD(prev, pid) == 0;

	if (w->lat_ns < slower_ns)
		return;
	e = emit_reserve_with(sizeof(*e), prev_idle ? 0 : event_stack());
	if (!e)
		return;
	e->ts_ns = bpf_ktime_get_ns();
	e->lat_ns = w->lat_ns;
	e->moved_ns = w->moved_ns;
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	e->prev_tgid = prev_ids >> 32;
	e->prev_tid = prev_ids;
	e->cpu = bpf_get_smp_processor_id();
	e->prev_idle = prev_idle;
	e->prev_ran_ns = prev_idle ? 0 : clock - LOAD(prev, sched_info.last_arrival);
	bpf_core_read(e->comm, sizeof(e->comm), &next->comm);
	bpf_get_current_comm(e->prev_comm, sizeof(e->prev_comm));
	emit_submit(e, sizeof(*e));
}

static __always_inline void fill_key(const bool typed, struct runqlat_key *key, struct task_struct *next,
				     __u64 pid_tgid)
{
	key->by = by;
	if (by & (SCHED_BY_PROCESS | SCHED_BY_THREAD)) {
		struct task_struct *named = next;

		key->tgid = pid_tgid >> 32;
		if (by & SCHED_BY_THREAD)
			key->tid = pid_tgid;
		else
			named = LOAD(next, group_leader);
		task_load_comm(typed, key->comm, named);
	}
	if (by & (SCHED_BY_CGROUP | SCHED_BY_OWNER))
		key->cgroup = task_cgroup_id(next);
	if (by & SCHED_BY_CPU)
		key->cpu = bpf_get_smp_processor_id();
	if (by & SCHED_BY_PIDNS) {
		struct upid *upid = task_upid(next);

		key->pidns = BPF_CORE_READ(upid, ns, ns.inum);
	}
}

static __always_inline void count(const bool typed, const struct wait *w, struct task_struct *next,
				  __u64 pid_tgid)
{
	struct runqlat_key key = {};

	if (!by) {
		hist_add(&waits, w->lat_ns);
		return;
	}
	fill_key(typed, &key, next, pid_tgid);
	hist_add_known(&waits_by, &key, sizeof(key) / 8, hist_slot(w->lat_ns), w->lat_ns,
		       &threads[START_LINE(LOAD(next, pid))].group);
}

TRACEPOINT(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 clock, pid_tgid;
	struct switch_info info = {};
	bool wanted, timed;
	struct wait w;
	__u32 tid;

	if (thinned_out()) {
		if (since != GAPS) /* a store for each would be every CPU's */
			since = GAPS;
		return 0;
	}
	tid = LOAD(next, pid);
	if (!tid && !preempt)
		return 0;
	clock = switch_clock(typed, prev);
	if (!since)
		since = clock;
	if (preempt)
		put_aside(typed, prev, clock);
	pid_tgid = task_pid_tgid(typed, next);
	wanted = filter_passes_task(typed, next, pid_tgid);
	if (!tid || (!wanted && !may_pass_later()))
		return 0;
	switch_read_info(typed, &info, next);
	timed = end_wait(&w, &info, tid, clock, wanted);
	if (!wanted)
		return 0;
	if (!timed && since != GAPS)
		count_loss(LOSS_NO_TIME);
	else if (!timed)
		return 0;
	else if (listed)
		send(typed, &w, prev, next, pid_tgid, clock);
	else
		count(typed, &w, next, pid_tgid);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
