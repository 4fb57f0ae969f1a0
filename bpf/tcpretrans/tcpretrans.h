/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tcpretrans sends to user space: each packet that TCP sent again; and what it counts by flow. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/net/sock_wire.h"

enum retransmit_cause {
	CAUSE_OTHER,
	CAUSE_TIMEOUT,	  /* the retransmission timer */
	CAUSE_SLOW_START, /* after a timeout, as acknowledgements come again */
	CAUSE_SACK,	  /* recovery: selective acknowledgements, or their times (RACK), say that it is lost */
	CAUSE_FAST,	  /* the same without SACK: three acknowledgements of the same */
	CAUSE_PROBE,	  /* tail-loss probe */
	CAUSE_SYN,
	CAUSE_SYN_ACK,
	CAUSE_NEW_PROBE, /* tail-loss probe of new data: nothing is sent again */
	CAUSES = 8,	 /* that are counted */
};

struct retransmit_event {
	__u64 ts_ns; /* CLOCK_MONOTONIC */
	struct sock_ends ends;
	__u32 cause; /* enum retransmit_cause */
	__u32 state; /* BPF_TCP_* */
	__u32 seq;
	__u32 segments;
	__u32 size_bytes; /* of data */
	__u32 srtt_us;	  /* 0: none was measured */
	__u32 cwnd;	  /* segments */
	__u32 total;	  /* segments that this socket sent again so far */
	__s32 error;	  /* it did not leave: -errno, or 1 if it was dropped here; 0 before 6.18 */
	__u32 uid;
	__u32 tgid; /* 0: not known */
	__u32 tid;
	char comm[16];
};

struct flow_key {
	struct sock_ends ends;
	__u32 tgid;
	__u32 zero;
	char comm[16];
};

struct flow_counts {
	__u64 segments[CAUSES];
	__u64 bytes;
};

struct flow_entry {
	__u64 from_ns, to_ns;
	struct flow_counts value;
	struct flow_key key;
};

#ifdef __cplusplus
static_assert(sizeof(retransmit_event) == 8 + 40 + 48 + 16 && sizeof(flow_entry) == 16 + 72 + 64, "no padding");
#endif
