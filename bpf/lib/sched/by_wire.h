/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* By what runqlat and cpudist tell histograms apart: the member `by` of their keys. */
#pragma once

enum sched_by {
	SCHED_BY_PROCESS = 1,
	SCHED_BY_THREAD = 2,
	SCHED_BY_CGROUP = 4,
	SCHED_BY_CPU = 8,
	SCHED_BY_PIDNS = 16,
};
