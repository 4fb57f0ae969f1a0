// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How long threads stay on a CPU, and how long off it. A task carries the time when it got its
 * CPU, by the clock of the run queue. When it left is kept by thread, where its stretches off
 * the CPU are asked for.
 */
#include "core.h"

#include "compat.h"
#include "cpudist.h"

#include "lib/core/filter_free.h"
#include "lib/core/filter_task.h"
#include "lib/core/hist_groups.h"
#include "lib/core/start.h"
#include "lib/sched/switch.h"

const volatile __u32 times = 1 << CPUDIST_ON;
const volatile __u32 by; /* sched_by; 0: one histogram for all */
const volatile bool blocked_only; /* off the CPU: not where it was taken from a thread that could run on */

const volatile bool with_idle;

HISTS(stretches, CPUDIST_TIMES);
HIST_BY(stretches_by, struct cpudist_key, 65536);

enum loss_of_cpudist { LOSS_UNSEEN = LOSS_TOOL };

/* A thread when it left its CPU last. */
struct left {
	__u32 tid;
	__u32 group; /* of its stretches (lib/core/hist_groups.h) */
	__u64 clock; /* 0: the stretch that begins here is not asked for */
	__u64 pcount;
	__u64 pad;
};

static struct left threads[START_LINES];

static __always_inline void fill_key(const bool typed, struct cpudist_key *key, struct task_struct *task,
				     __u64 pid_tgid)
{
	key->by = by;
	if (by & (SCHED_BY_PROCESS | SCHED_BY_THREAD)) {
		struct task_struct *named = task;

		key->tgid = pid_tgid >> 32;
		if (by & SCHED_BY_THREAD)
			key->tid = pid_tgid;
		else
			named = LOAD(task, group_leader);
		task_load_comm(typed, key->comm, named);
	}
	if (by & (SCHED_BY_CGROUP | SCHED_BY_OWNER))
		key->cgroup = task_cgroup_id(task);
	if (by & SCHED_BY_CPU)
		key->cpu = bpf_get_smp_processor_id();
}

static __always_inline void count(const bool typed, const __u32 time, struct task_struct *task,
				  __u64 pid_tgid, __u64 ns)
{
	struct cpudist_key key = {};

	if (!by) {
		hists_add(&stretches, time, ns);
		return;
	}
	fill_key(typed, &key, task, pid_tgid);
	hist_add_known(&stretches_by, &key, sizeof(key) / 8, time * HIST_SLOTS + hist_slot(ns), ns,
		       &threads[START_LINE(LOAD(task, pid))].group);
}

/* Is the stretch off the CPU that begins here asked for? */
static __always_inline bool off_wanted(const bool typed, bool preempt, struct task_struct *prev)
{
	__u64 state;

	if (!(times & 1 << CPUDIST_OFF))
		return false;
	state = task_state(typed, prev);
	if (state & TASK_DEAD)
		return false;
	return !blocked_only || (!preempt && state);
}

/* The kernel's count of arrivals shows those that this program was not run for, as on a busy host. */
static __always_inline void save_leave(const struct switch_info *info, __u32 tid, __u64 clock)
{
	struct left *l = &threads[START_LINE(tid)];

	if (l->tid == tid && info->pcount > l->pcount + 1)
		add_loss(LOSS_UNSEEN, info->pcount - l->pcount - 1);
	else if (l->clock) /* the end of a stretch off the CPU, of this thread or of another one */
		count_loss(l->tid == tid ? LOSS_UNSEEN : LOSS_START);
	l->tid = tid;
	l->pcount = info->pcount;
	l->clock = clock;
}

static __always_inline void leave(const bool typed, bool preempt, struct task_struct *prev, __u64 clock)
{
	__u64 pid_tgid = task_pid_tgid(typed, prev);
	__u32 tid = LOAD(prev, pid);
	struct switch_info info = {};

	if (!tid || !filter_passes_task(typed, prev, pid_tgid))
		return;
	switch_read_info(typed, &info, prev);
	save_leave(&info, tid, off_wanted(typed, preempt, prev) ? clock : 0);
	if (times & 1 << CPUDIST_ON && info.last_arrival)
		count(typed, CPUDIST_ON, prev, pid_tgid, clock > info.last_arrival ? clock - info.last_arrival : 0);
}

/* What is kept was asked for. */
static __always_inline void arrive(const bool typed, struct task_struct *next, __u64 clock)
{
	__u32 tid = LOAD(next, pid);
	struct left *l = &threads[START_LINE(tid)];
	__u64 since = l->clock;

	if (!tid || l->tid != tid || !since)
		return;
	l->clock = 0;
	if (LOAD(next, sched_info.pcount) == l->pcount)
		count(typed, CPUDIST_OFF, next, task_pid_tgid(typed, next), clock > since ? clock - since : 0);
}

/* When the stretch of this CPU's idle task began that is asked for; 0: not seen. The kernel keeps no times of that task. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} idle_since SEC(".maps");

static __always_inline void switch_idle(const bool typed, struct task_struct *idle, bool arrives, __u64 clock)
{
	const bool off = times & 1 << CPUDIST_OFF;
	__u32 zero = 0;
	__u64 *since = bpf_map_lookup_elem(&idle_since, &zero);

	if (!since || !filter_passes_task(typed, idle, 0))
		return;
	if (arrives != off) {
		*since = clock;
		return;
	}
	if (*since)
		count(typed, off ? CPUDIST_OFF : CPUDIST_ON, idle, 0, clock > *since ? clock - *since : 0);
	*since = 0;
}

TRACEPOINT(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 clock = switch_clock(typed, prev);

	if (with_idle && !LOAD(prev, pid))
		switch_idle(typed, prev, false, clock);
	if (with_idle && !LOAD(next, pid))
		switch_idle(typed, next, true, clock);
	leave(typed, preempt, prev, clock);
	if (times & 1 << CPUDIST_OFF)
		arrive(typed, next, clock);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
