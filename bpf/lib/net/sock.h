/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What tells one TCP socket from another: addresses and ports, read at any change of its state.
 * An address is two 64-bit numbers, the upper half first; an IPv4 address is the IPv6 address
 * that stands for it, ::ffff:a.b.c.d, so that a socket of either family that talks IPv4 looks
 * the same.
 */
#pragma once

#include "net.h"

#include <bpf/bpf_endian.h>

#include "lib/net/sock_wire.h"
#include "lib/core/tracepoint.h"

#define AF_INET 2
#define AF_INET6 10
#define IPPROTO_TCP 6
#define IPV4_IN_IPV6 (0xffffULL << 32)

static __always_inline bool sock_is_tcp(const bool typed, struct sock *sk)
{
	return LOAD(sk, sk_protocol) == IPPROTO_TCP;
}

/* A task of user space works on the socket, and it is the current one; else an interrupt or a timer does. */
static __always_inline bool sock_is_owned(const bool typed, struct sock *sk)
{
	return LOAD(sk, sk_lock.owned);
}

/* NULL if it is none: never so of a TCP socket, but the verifier wants to see it tested. */
static __always_inline struct tcp_sock *tcp_sock_of(const bool typed, struct sock *sk)
{
	return typed ? bpf_skc_to_tcp_sock(sk) : (struct tcp_sock *)sk;
}

static __always_inline __u64 ipv4_half(__u32 address)
{
	return IPV4_IN_IPV6 | bpf_ntohl(address);
}

/* This end's, which the kernel keeps until the change to CLOSE is told. */
static __always_inline __u16 sock_kept_port(const bool typed, struct sock *sk)
{
	struct tcp_sock *tp = tcp_sock_of(typed, sk);

	return tp ? bpf_ntohs(LOAD(tp, inet_conn.icsk_inet.inet_sport)) : 0;
}

static __always_inline void sock_ends_fill(const bool typed, struct sock *sk, struct sock_ends *ends)
{
	/* In the order of little endian machines. */
	__u32 ports = LOAD(sk, __sk_common.skc_portpair);
	__u64 address[2];

	ends->local_port = ports >> 16 ?: sock_kept_port(typed, sk);
	ends->remote_port = bpf_ntohs((__u16)ports);
	if (LOAD(sk, __sk_common.skc_family) == AF_INET) {
		address[0] = LOAD(sk, __sk_common.skc_addrpair);
		ends->local_hi = 0;
		ends->local_lo = ipv4_half(address[0] >> 32);
		ends->remote_hi = 0;
		ends->remote_lo = ipv4_half(address[0]);
		return;
	}
	bpf_core_read(address, sizeof(address), &sk->__sk_common.skc_v6_rcv_saddr);
	ends->local_hi = bpf_be64_to_cpu(address[0]);
	ends->local_lo = bpf_be64_to_cpu(address[1]);
	bpf_core_read(address, sizeof(address), &sk->__sk_common.skc_v6_daddr);
	ends->remote_hi = bpf_be64_to_cpu(address[0]);
	ends->remote_lo = bpf_be64_to_cpu(address[1]);
}
