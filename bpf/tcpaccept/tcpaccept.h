/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tcpaccept sends to user space, and what it counts: each connection that was accepted. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/core/loss.h"
#include "lib/net/sock_wire.h"

struct accept_event {
	__u64 ts_ns;	/* CLOCK_MONOTONIC, when it was accepted */
	__u64 since_ns; /* established, by the kernel's own note, to the microsecond */
	struct sock_ends ends;
	__u32 listened; /* the next four were read */
	__u32 waiting;	/* in the accept queue, behind this one */
	__u32 limit;
	__u32 drops;	 /* of the listening socket, since it listens */
	__u32 half_open; /* SYNs that were answered, and no more */
	__u32 uid;
	__u32 tgid;
	__u32 tid;
	char comm[16];
};

enum accept_loss {
	LOSS_LISTENER = LOSS_TOOL, /* the listening socket was closed meanwhile: no histogram to count in */
};

enum accept_of {
	ACCEPT_LIST,
	ACCEPT_QUEUE_TIME, /* histograms of ns in the queue */
	ACCEPT_BACKLOG,	   /* of how many waited, this one among them */
};

struct accept_key {
	__u64 of; /* enum accept_of */
	__u64 local_hi;
	__u64 local_lo;
	__u32 local_port;
	__u32 slot;
};

struct accept_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct accept_key key;
};

#ifdef __cplusplus
static_assert(sizeof(accept_event) == 16 + 40 + 32 + 16 && sizeof(accept_entry) == 72, "no padding");
#endif
