/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tcplife sends to user space: each TCP session at its end. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/net/sock_wire.h"

struct session_event {
	__u64 ts_ns;	/* CLOCK_MONOTONIC, at the end */
	__u64 since_ns; /* established; 0: not seen */
	struct sock_ends ends;
	__u64 tx_bytes; /* without what was sent again */
	__u64 rx_bytes;
	__u64 again_bytes; /* what was sent again */
	__u32 again;	   /* segments */
	__u32 srtt_us;	   /* 0: none was measured */
	__u32 min_rtt_us;
	__u32 last_state; /* BPF_TCP_*, before CLOSE */
	__s32 error;	  /* errno, or 0 */
	__u32 begun;	  /* enum session_begun */
	__u32 uid;
	__u32 tgid; /* 0: not known */
	__u32 tid;
	__u32 pad;
	char comm[16];
};

enum session_begun {
	BEGUN_UNKNOWN, /* before the run */
	BEGUN_HERE,    /* connect() */
	BEGUN_THERE,   /* accepted */
};

#ifdef __cplusplus
static_assert(sizeof(session_event) == 16 + 40 + 24 + 40 + 16, "no padding");
#endif
