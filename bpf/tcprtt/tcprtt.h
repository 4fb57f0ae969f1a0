/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tcprtt counts: a slot of a histogram in an interval, or a sum for an average. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/net/sock_wire.h"

enum rtt_by {
	RTT_BY_LOCAL = 1,
	RTT_BY_LOCAL_PORT = 2,
	RTT_BY_REMOTE = 4,
	RTT_BY_REMOTE_PORT = 8,
};

/* What is not asked for is 0. */
struct rtt_key {
	__u64 by; /* enum rtt_by: which of the members say something */
	struct sock_ends ends;
};

struct rtt_slot_key {
	__u64 by;
	struct sock_ends ends;
	__u32 zero;
	__u32 slot; /* of the round-trip time in ns */
};

struct rtt_sum {
	__u64 count;
	__u64 sum_ns;
};

struct rtt_slot_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct rtt_slot_key key;
};

struct rtt_sum_entry {
	__u64 from_ns, to_ns;
	struct rtt_sum value;
	struct rtt_key key;
};

#ifdef __cplusplus
static_assert(sizeof(rtt_slot_entry) == 16 + 24 + 48 + 8 && sizeof(rtt_sum_entry) == 16 + 16 + 48, "no padding");
#endif
