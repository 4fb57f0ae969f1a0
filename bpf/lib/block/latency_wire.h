/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What biolatency and bioheat count: an entry is a slot in an interval, as user space reads and records it. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"

/* Which time; the slot says it (slot / HIST_SLOTS). */
enum biolatency_time {
	TIME_ALONE, /* from the request's allocation to its completion, and no other time is shown */
	TIME_QUEUE, /* until it was given to the device */
	TIME_DEVICE, /* from there on */
	TIME_TOTAL,
	TIMES,
};

enum biolatency_by {
	BY_DISK = 1,
	BY_FLAGS = 2,
	BY_CGROUP = 4,
	BY_PROCESS = 8,
	BY_UNIT = 16, /* whose the cgroup is: histograms of several become one in user space */
	BY_CONTAINER = 32,
	BY_POD = 64,
	BY_OWNER = BY_UNIT | BY_CONTAINER | BY_POD,
};

struct biolatency_key {
	__u64 cgroup; /* 0: of no bio */
	__u64 by; /* which of the members say something */
	char comm[16];
	__u32 tgid; /* 0 without comm: not known */
	__u32 dev;
	__u32 flags; /* request.cmd_flags */
	__u32 slot;
};

struct biolatency_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct biolatency_key key;
};

#ifdef __cplusplus
static_assert(sizeof(biolatency_key) == 48 && sizeof(biolatency_entry) == 88);
#endif
