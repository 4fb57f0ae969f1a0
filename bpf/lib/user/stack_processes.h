/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What each process has mapped, as user space has put it there (src/subsys/stacks.h), and requests to
 * it for what is missing. A full ring is LOSS_STACK_REQUEST.
 */
#pragma once

#include "task.h"

#include <bpf/bpf_core_read.h>

#include "lib/core/filter.h"
#include "lib/core/filter_task.h"
#include "lib/user/stack_wire.h"

#define STACK_REQUEST_NS 10000000

const volatile bool stack_user = true;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STACK_PROCESSES);
	__type(key, __u32); /* tgid, as strata sees it */
	__type(value, struct stack_process);
} stack_processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} stack_requests SEC(".maps");

static __always_inline void stack_request(__u32 tgid, __u32 began)
{
	struct stack_request request = {.tgid = tgid, .began = began};

	if (tgid && bpf_ringbuf_output(&stack_requests, &request, sizeof(request), BPF_RB_FORCE_WAKEUP))
		count_loss(LOSS_STACK_REQUEST);
}

/* User space is to look at the process (again), but not more often than it may help. */
static __always_inline void stack_request_more(__u32 tgid)
{
	struct stack_process *process = bpf_map_lookup_elem(&stack_processes, &tgid);
	struct stack_process unknown = {};
	__u64 now = bpf_ktime_get_ns();

	if (process && now - process->requested_ns < STACK_REQUEST_NS)
		return;
	unknown.requested_ns = now;
	if (process)
		process->requested_ns = now;
	else
		bpf_map_update_elem(&stack_processes, &tgid, &unknown, BPF_NOEXIST); /* full: it asks again */
	stack_request(tgid, 0);
}

/* What a process runs is forgotten when it runs something else, and before its number is another's. */

TRACEPOINT_AT(stack_exec, "sched_process_exec", struct task_struct *task)
{
	__u32 tgid = filter_pid_tgid() >> 32;

	bpf_map_delete_elem(&stack_processes, &tgid);
	if (filter_passes() && stack_user)
		stack_request(tgid, 1);
	return 0;
}

TRACEPOINT_AT(stack_exit, "sched_process_exit", struct task_struct *task)
{
	struct signal_struct *signal = LOAD(task, signal);
	__u32 tgid = filter_pid_tgid() >> 32;

	if (LOAD(signal, live.counter) == 0)
		bpf_map_delete_elem(&stack_processes, &tgid);
	return 0;
}

/* A child has its parent's mappings, until it runs something else. */
TRACEPOINT_AT(stack_fork, "sched_process_fork", struct task_struct *parent, struct task_struct *child)
{
	__u32 parent_tgid = filter_pid_tgid() >> 32, tgid;
	struct stack_process *known, copy;

	tgid = task_pid_tgid(typed, child) >> 32;
	if (LOAD(child, tgid) == LOAD(parent, tgid) || !tgid)
		return 0;
	known = bpf_map_lookup_elem(&stack_processes, &parent_tgid);
	if (!known) {
		bpf_map_delete_elem(&stack_processes, &tgid);
		return 0;
	}
	copy = *known;
	copy.requested_ns = 0;
	bpf_map_update_elem(&stack_processes, &tgid, &copy, BPF_ANY); /* full: it is asked for */
	return 0;
}
