/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tcpstates sends to user space: each change of a TCP socket's state. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/net/sock_wire.h"

struct state_event {
	__u64 ts_ns;	/* CLOCK_MONOTONIC */
	__u64 since_ns; /* of the change before; 0: not seen */
	__u64 sock;	/* the kernel's address */
	struct sock_ends ends;
	__u32 from; /* BPF_TCP_* */
	__u32 to;
	__s32 error; /* at the change to CLOSE: errno, or 0 */
	__u32 child; /* 1: at since_ns it came from LISTEN, which has no record of its own */
	__u32 uid;
	__u32 tgid; /* 0: not known */
	__u32 tid;
	__u32 pad;
	char comm[16];
};

#ifdef __cplusplus
static_assert(sizeof(state_event) == 24 + 40 + 32 + 16, "no padding");
#endif
