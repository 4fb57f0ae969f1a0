// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A record for each event. As it comes from the template: for each program that is executed. */
#include "task.h"

#include "TOOL_NAME.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "lib/core/tracepoint.h"

TRACEPOINT(sched_process_exec, struct task_struct *task)
{
	struct TOOL_NAME_event *e;
	__u64 pid_tgid;

	if (!filter_passes())
		return 0;
	e = emit_reserve(sizeof(*e));
	if (!e)
		return 0;
	pid_tgid = filter_pid_tgid();
	e->ts_ns = bpf_ktime_get_ns();
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	emit_submit(e, sizeof(*e));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
