/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parts of the records about sockets. Shared by both sides. */
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
};
