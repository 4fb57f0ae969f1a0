/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* By what runqlat and cpudist tell histograms apart: the member `by` of their keys. */
#pragma once

enum sched_by {
	SCHED_BY_PROCESS = 1,
	SCHED_BY_THREAD = 2,
	SCHED_BY_CGROUP = 4,
	SCHED_BY_CPU = 8,
	SCHED_BY_PIDNS = 16,
	SCHED_BY_UNIT = 32, /* whose the cgroup is: histograms of several become one in user space */
	SCHED_BY_CONTAINER = 64,
	SCHED_BY_POD = 128,
	SCHED_BY_OWNER = SCHED_BY_UNIT | SCHED_BY_CONTAINER | SCHED_BY_POD,
};
