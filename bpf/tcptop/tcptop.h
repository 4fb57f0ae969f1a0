/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tcptop sends to user space, each session at its end; and an entry, what went over a session in an interval. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/net/sock_wire.h"

struct tcptop_end {
	__u64 cookie; /* 0: nobody has asked for it, so it began after the last reading */
	struct sock_ends ends;
	__u64 tx_bytes;
	__u64 rx_bytes;
	__u32 again; /* segments */
	__u32 uid;
	__u32 tgid;  /* 0: not known */
	__u32 passes; /* the task that had it passes the filter */
	__u32 born;  /* its beginning was seen */
	__u32 pad;
	char comm[16];
};

struct tcptop_key {
	struct sock_ends ends; /* zeros: of all sessions of the process */
	__u32 tgid;
	__u32 uid;
	char comm[16];
};

struct tcptop_count {
	__u64 tx_bytes;
	__u64 rx_bytes;
	__u64 again;
};

struct tcptop_entry {
	__u64 from_ns, to_ns;
	struct tcptop_count value;
	struct tcptop_key key;
};

#ifdef __cplusplus
static_assert(sizeof(tcptop_end) == 104 && sizeof(tcptop_key) == 64 && sizeof(tcptop_entry) == 104, "no padding");
#endif
