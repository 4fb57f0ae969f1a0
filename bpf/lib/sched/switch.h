/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * At sched_switch: the clock that the kernel's account of the two tasks (sched_info) is kept by,
 * and that account. The tracepoint comes before the kernel changes it.
 *
 * The clock is rq->clock, which __schedule() has just set; it is neither bpf_ktime_get_ns() nor
 * at a fixed distance from it. prev is the current task, and its run queue this CPU's.
 *
 * So a wait, or a stretch on the CPU, is a subtraction in one program. Rejected: sched_wakeup and a
 * hash of all that wait (five times the BPF), also where a kernel has no CONFIG_SCHED_INFO: every
 * distribution has it, and the error names the option; differences of run_delay alone, which lack the
 * waits of the first switch and of tasks whose CPU was taken as they were about to sleep.
 */
#pragma once

#include "sched.h"
#include "task.h"

#include "lib/core/tracepoint.h"

static __always_inline __u64 switch_clock(const bool typed, struct task_struct *prev)
{
	struct task_struct *task;

	/* Where the argument is no typed pointer the helper's is (5.11), and spares three probe reads. */
	if (!typed && bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf)) {
		task = (void *)bpf_get_current_task_btf();
		return task->se.cfs_rq->rq->clock;
	}
	if (typed)
		return prev->se.cfs_rq->rq->clock;
	return BPF_CORE_READ(prev, se.cfs_rq, rq, clock);
}

/* What the kernel keeps of a task, in its order. */
struct switch_info {
	__u64 pcount;
	__u64 run_delay;
	__u64 last_arrival;
	__u64 last_queued;
};

/* A probe read costs as much as ten loads: neighbours in memory (6.13 and before) are read at once. */
static __always_inline void switch_read_info(const bool typed, struct switch_info *info, struct task_struct *task)
{
	const __u64 at = bpf_core_field_offset(struct task_struct, sched_info.pcount);

	if (!typed && bpf_core_field_offset(struct task_struct, sched_info.last_queued) == at + 24) {
		bpf_probe_read_kernel(info, sizeof(*info), (void *)((__u64)task + at));
		return;
	}
	info->pcount = LOAD(task, sched_info.pcount);
	info->run_delay = LOAD(task, sched_info.run_delay);
	info->last_arrival = LOAD(task, sched_info.last_arrival);
	info->last_queued = LOAD(task, sched_info.last_queued);
}
