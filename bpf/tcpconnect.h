/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tcpconnect sends to user space: each attempt to connect, when it is decided. */
#pragma once

#include <linux/types.h>

#include "lib/loss.h"
#include "lib/sock_wire.h"

struct connect_event {
	__u64 ts_ns;	/* CLOCK_MONOTONIC, when it was established or had failed */
	__u64 since_ns; /* of the SYN; 0: not seen */
	struct sock_ends ends;
	__u32 established;
	__s32 error; /* errno; 0 also where the task gave up */
	__u32 uid;
	__u32 tgid; /* 0: not known */
	__u32 tid;
	__u32 again; /* SYNs that were sent again */
	char comm[16];
};

#ifdef __cplusplus
static_assert(sizeof(connect_event) == 16 + 40 + 24 + 16, "no padding");
#endif
