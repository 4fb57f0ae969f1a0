/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tcpconnect sends to user space: each attempt to connect, when it is decided; and what it counts. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/net/sock_wire.h"

struct connect_event {
	__u64 ts_ns;	/* CLOCK_MONOTONIC, when it was established or had failed, or the run ended */
	__u64 since_ns; /* of the SYN; 0: not seen */
	struct sock_ends ends;
	__u32 established;
	__s32 error; /* errno; 0 also where the task gave up; EINPROGRESS: under way when the run ended */
	__u32 uid;
	__u32 tgid; /* 0: not known */
	__u32 tid;
	__u32 again; /* SYNs that were sent again */
	char comm[16];
};

enum {
	CONNECT_BY_DESTINATION = 1, /* address and port of the other end */
	CONNECT_BY_PORT = 2,	    /* the port alone */
	CONNECT_BY_SOURCE = 4,	    /* address of this end */
	CONNECT_BY_PROCESS = 8,
	CONNECT_BY_UID = 16,
};

/* What attempts are not counted by is 0. */
struct connect_key {
	__u64 local_hi;
	__u64 local_lo;
	__u64 remote_hi;
	__u64 remote_lo;
	__u32 remote_port;
	__u32 tgid; /* 0: not known */
	__u32 uid;
	__u32 by; /* CONNECT_BY_*, the same in a run */
	char comm[16];
};

struct connect_counts {
	__u64 attempts;
	__u64 failed;
	__u64 timed;   /* established ones whose SYN was seen */
	__u64 time_ns; /* of these, from the first SYN on */
	__u64 again;   /* SYNs that were sent again */
};

struct connect_entry {
	__u64 from_ns, to_ns;
	struct connect_counts value;
	struct connect_key key;
};

#ifdef __cplusplus
static_assert(sizeof(connect_event) == 16 + 40 + 24 + 16 && sizeof(connect_entry) == 16 + 40 + 64, "no padding");
#endif
