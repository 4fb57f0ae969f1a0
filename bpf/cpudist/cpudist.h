/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What cpudist counts: an entry is a slot in an interval, as user space reads and records it. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/sched/by_wire.h"

/* Which stretches; the slot says it (slot / HIST_SLOTS). */
enum cpudist_time {
	CPUDIST_ON, /* from getting a CPU to leaving it */
	CPUDIST_OFF, /* from leaving it to getting one: asleep, and waiting for it */
	CPUDIST_TIMES,
};

struct cpudist_key {
	__u64 cgroup;
	__u64 by; /* enum sched_by: which of the members say something */
	char comm[16];
	__u32 tgid;
	__u32 tid;
	__u32 cpu;
	__u32 slot; /* of ns */
};

struct cpudist_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct cpudist_key key;
};

#ifdef __cplusplus
static_assert(sizeof(cpudist_key) == 48 && sizeof(cpudist_entry) == 88);
#endif
