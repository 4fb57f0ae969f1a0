/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What dropmon counts and what it sends: an entry is the drops of one key in an interval; a single drop. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/net/packet_wire.h"

enum drop_by {
	DROP_BY_PLACE = 1,
	DROP_BY_REASON = 2,
	DROP_BY_PROTOCOL = 4,
	DROP_BY_DEVICE = 8,
	DROP_BY_STACK = 16,
};

enum {
	LOSS_STACK = LOSS_TOOL, /* found no room among the stacks */
	DROP_FRAMES = 48,
	DROP_REASONS = 32, /* of a filter */
	DROP_PLACES = 16,
	DROP_PARTS = 8, /* of the kernel's function that drops */
	DROP_NO_REASON = 0xffffffff, /* the kernel tells none */
};

struct drop_key {
	__u64 place; /* address in the kernel */
	__u64 stack; /* the key of `stacks`; 0: none */
	__u32 reason;
	__u32 by; /* which of the members say something */
	__u32 ethertype;
	__u32 protocol; /* of IP */
	__u32 ifindex;
	__u32 netns;
	char dev[16];
};

struct drop_count {
	__u64 drops;
	__u64 bytes;
};

struct drop_entry {
	__u64 from_ns, to_ns;
	struct drop_count value;
	struct drop_key key;
};

struct drop_event {
	__u64 ts_ns;
	__u64 place;
	__u64 stack;
	struct packet packet;
	__u32 reason;
	__u32 state; /* of the TCP socket; 0: none is known */
	__u32 tgid; /* what ran on the CPU, not always what the packet was for */
	__u32 tid;
	char comm[16];
	__u32 header_bytes;
	char headers[PACKET_HEADER_BYTES];
};

struct drop_stack {
	__u64 frames[DROP_FRAMES]; /* the innermost first; 0 ends them */
};

#ifdef __cplusplus
static_assert(sizeof(drop_key) == 56 && sizeof(drop_entry) == 88 && sizeof(drop_event) == 24 + 88 + 16 + 16 + 136);
#endif
