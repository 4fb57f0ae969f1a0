/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The CPU time that a task's cgroup may have in each period, cpu.max or cpu.cfs_quota_us, or that of one above it. */
#pragma once

#include "sched.h"
#include "task.h"

#include "lib/core/tracepoint.h"

/* Of the fair class with groups, else NULL: the queue from which it gets a CPU. */
static __always_inline struct cfs_rq *quota_queue(const bool typed, struct task_struct *task)
{
	if (!bpf_core_field_exists(task->se.cfs_rq) || !bpf_core_field_exists(struct cfs_rq, throttle_count) ||
	    LOAD(task, prio) < MAX_RT_PRIO)
		return NULL;
	return LOAD(task, se.cfs_rq);
}

/* A task that leaves its CPU, and could run on, does so for want of quota: since 6.18 one by one, before all of a queue. */
static __always_inline bool has_no_quota(const bool typed, struct task_struct *task)
{
	struct cfs_rq *queue;

	if (bpf_core_field_exists(task->throttled))
		return LOAD(task, throttled);
	queue = quota_queue(typed, task);
	return queue && LOAD(queue, throttle_count) > 0;
}

/* Of a task that is woken: its queue's address, if it was in want of quota before 6.18, and who is put there has to wait; else 0. */
static __always_inline __u64 queue_without_quota(struct task_struct *task)
{
	struct cfs_rq *queue;

	if (bpf_core_field_exists(task->throttled))
		return 0;
	queue = quota_queue(false, task);
	return queue && BPF_CORE_READ(queue, throttle_count) > 0 ? (__u64)queue : 0;
}
