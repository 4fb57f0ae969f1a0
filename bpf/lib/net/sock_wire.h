/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parts of the records about sockets, and of what is kept of them. Shared by both sides. */
#pragma once

#include <linux/types.h>

/* Numbers of this machine, not of the network. IPv4 as ::ffff:a.b.c.d. */
struct sock_ends {
	__u64 local_hi;
	__u64 local_lo;
	__u64 remote_hi;
	__u64 remote_lo;
	__u32 local_port;
	__u32 remote_port;
};

/* Of a socket by its cookie; of a listening one also by these two, for the sockets that it makes. */
struct sock_owner_key {
	__u64 cookie; /* or 0 */
	__u32 netns;  /* inode of its network namespace, or 0 */
	__u32 port;   /* or 0 */
};

struct sock_owner {
	__u64 pid_tgid;
	char comm[16];
};

enum {
	SOCK_PORTS = 32, /* of a filter by ports */
	SERVER_PORTS = 8, /* that a server may have */
	SOCK_SET_BITS = 13,
	SOCK_WAYS = 2,
};

/* What is known of a socket (lib/net/sock_info.h), and where (lib/net/sock_infos.h). */
struct sock_info {
	__u64 ts_ns;	/* the tool's own */
	__u64 pid_tgid; /* of the task, 0 if none was seen */
	__u32 flags;
	__u32 pad;
	char comm[16];
};

struct sock_place {
	__u64 key; /* 0: nobody's */
	__u32 reservations;
	__u32 pad;
	struct sock_info info;
};

struct sock_set {
	struct sock_place places[SOCK_WAYS];
};
