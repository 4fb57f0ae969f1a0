/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which connections are asked for. src/subsys/sock.cpp sets the constants. */
#pragma once

#include "lib/net/sock.h"

const volatile bool sock_filtered; /* for certain ones: one of the following is set */
const volatile bool sock_by_family;
const volatile bool sock_want_ipv4; /* else IPv6 */
const volatile __u32 sock_local_ports[SOCK_PORTS]; /* the first 0 ends them */
const volatile __u32 sock_remote_ports[SOCK_PORTS];
const volatile bool sock_by_remote;
const volatile __u64 sock_remote_hi; /* what remains of an address under the mask */
const volatile __u64 sock_remote_lo;
const volatile __u64 sock_remote_mask_hi;
const volatile __u64 sock_remote_mask_lo;
const volatile bool sock_by_local;
const volatile __u64 sock_local_hi;
const volatile __u64 sock_local_lo;
const volatile __u64 sock_local_mask_hi;
const volatile __u64 sock_local_mask_lo;
const volatile bool sock_by_uid;
const volatile __u32 sock_uid;

static __always_inline bool port_is_in(const volatile __u32 *ports, __u32 port)
{
	int i;

	if (!ports[0])
		return true;
	for (i = 0; i < SOCK_PORTS && ports[i]; i++)
		if (ports[i] == port)
			return true;
	return false;
}

static __always_inline bool sock_is_ipv4(const struct sock_ends *ends)
{
	return !ends->local_hi && ends->local_lo >> 32 == IPV4_IN_IPV6 >> 32;
}

static __always_inline bool sock_ends_pass(const struct sock_ends *ends)
{
	if (!sock_filtered)
		return true;
	if (sock_by_family && sock_is_ipv4(ends) != sock_want_ipv4)
		return false;
	if (sock_by_remote && ((ends->remote_hi & sock_remote_mask_hi) != sock_remote_hi ||
			       (ends->remote_lo & sock_remote_mask_lo) != sock_remote_lo))
		return false;
	if (sock_by_local && ((ends->local_hi & sock_local_mask_hi) != sock_local_hi ||
			      (ends->local_lo & sock_local_mask_lo) != sock_local_lo))
		return false;
	return port_is_in(sock_local_ports, ends->local_port) &&
	       port_is_in(sock_remote_ports, ends->remote_port);
}

static __always_inline bool sock_uid_passes(const bool typed, struct sock *sk)
{
	return !sock_filtered || !sock_by_uid || LOAD(sk, sk_uid.val) == sock_uid;
}

/* For a tool that then writes the ends to their record, and else has no use for them. */
static __always_inline bool sock_passes(const bool typed, struct sock *sk)
{
	struct sock_ends ends;

	if (!sock_filtered)
		return true;
	sock_ends_fill(typed, sk, &ends);
	return sock_ends_pass(&ends) && sock_uid_passes(typed, sk);
}
