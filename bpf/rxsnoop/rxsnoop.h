/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What rxsnoop sends and what it counts: a packet; packets of a key in an interval; a slot of the sizes. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/net/packet_wire.h"

enum rx_view { RX_LIST, RX_RATE, RX_SIZES };

struct rx_event {
	__u64 ts_ns;
	struct packet packet;
	__u32 segments; /* that the kernel or the card put together (GRO); 1: it is as it came */
	__u32 cpu;
	__u32 header_bytes;
	char headers[PACKET_HEADER_BYTES];
};

struct rx_key {
	__u32 ethertype;
	__u32 protocol; /* of IP */
	__u32 ifindex;	/* 0: sizes of all devices */
	__u32 netns;
	char dev[16];
};

struct rx_count {
	__u64 packets;
	__u64 segments;
	__u64 bytes;
};

struct rx_entry {
	__u64 from_ns, to_ns;
	struct rx_count value;
	struct rx_key key;
};

struct rx_size_key {
	__u32 ifindex; /* 0: of all devices */
	__u32 netns;
	char dev[16];
	__u32 zero;
	__u32 slot;
};

struct rx_size_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct rx_size_key key;
};

#ifdef __cplusplus
static_assert(sizeof(rx_event) == 240 && sizeof(rx_entry) == 72 && sizeof(rx_size_entry) == 72);
#endif
