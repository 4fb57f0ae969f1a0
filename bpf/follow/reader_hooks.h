/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The reader's way to a CPU: the scheduler's hooks, while anything is followed. */
#pragma once

#include "compat.h"
#include "core.h"
#include "sched.h"

#include "lib/core/tracepoint.h"
#include "connections.h"
#include "readers.h"

TRACEPOINT(sched_waking, struct task_struct *task)
{
	return n_open ? wake_reader(LOAD(task, pid)) : 0;
}

TRACEPOINT(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	if (!n_open)
		return 0;
	if (!preempt && task_state(typed, prev))
		leave_cpu(LOAD(prev, pid));
	return take_cpu(LOAD(next, pid));
}
