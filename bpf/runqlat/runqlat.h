/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What runqlat counts and what it sends: a slot of a histogram in an interval; a single wait. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/sched/by_wire.h"

struct runqlat_key {
	__u64 cgroup;
	__u64 by; /* enum sched_by: which of the members say something */
	char comm[16];
	__u32 tgid;
	__u32 tid;
	__u32 cpu;
	__u32 pidns; /* inode of the PID namespace */
	__u32 zero;
	__u32 slot; /* of the wait in ns */
};

struct runqlat_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct runqlat_key key;
};

/* prev_*: who left the CPU to it; tgid 0 with tid 0: nobody, the CPU was idle. */
struct runqlat_wait {
	__u64 ts_ns;
	__u64 lat_ns;
	__u64 moved_ns; /* of lat_ns, in queues of other CPUs */
	__u64 prev_ran_ns;
	__u32 tgid, tid;
	__u32 prev_tgid, prev_tid;
	__u32 cpu;
	__u32 prev_idle;
	char comm[16];
	char prev_comm[16];
};

#ifdef __cplusplus
static_assert(sizeof(runqlat_key) == 56 && sizeof(runqlat_entry) == 96 && sizeof(runqlat_wait) == 88);
#endif
