/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What runqlen counts: entries as user space reads and records them, of a histogram or of a table. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"

struct runqlen_key {
	__u32 cpu; /* + 1; 0: of all */
	__u32 slot; /* of the number of threads that wait */
};

struct runqlen_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct runqlen_key key;
};

/* Samples of a CPU: all, not idle, with threads that wait, and the sum of these threads. */
struct runqlen_cpu_key {
	__u32 cpu; /* as above */
	__u32 zero;
};

struct runqlen_cpu {
	__u64 samples;
	__u64 busy;
	__u64 occupied;
	__u64 waiting;
};

struct runqlen_cpu_entry {
	__u64 from_ns, to_ns;
	struct runqlen_cpu_key key;
	struct runqlen_cpu value;
};

#ifdef __cplusplus
static_assert(sizeof(runqlen_entry) == 48 && sizeof(runqlen_cpu_entry) == 56);
#endif
