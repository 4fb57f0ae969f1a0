/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is asked of any TCP socket: where it is in its bytes, who its other end is, and whether anything of its connection is
 * followed. Connections are counted by a hash of both ports, packets of UDP by that of their address, so that hooks pass by what
 * belongs to none of them.
 */
#pragma once

#include "core.h"
#include "net.h"
#include "skb.h"
#include "tcp.h"

#include "lib/net/sock.h"

#define SLOTS 1024
#define EEXIST 17

static __u32 n_open;
static __u32 open_at[SLOTS]; /* of them, by slot */

/* Of a connection, whose both ends and both directions have the same one. Ports are in host order. */
static __always_inline __u32 slot_of(__u32 a_port, __u32 other_port)
{
	__u32 ports = a_port ^ other_port;

	barrier_var(ports); /* else clang swaps the bytes of what is masked, of which the verifier knows no bound any more */
	return ports & (SLOTS - 1);
}

static __always_inline bool slot_is_open(__u32 a_port, __u32 other_port)
{
	return open_at[slot_of(a_port, other_port)];
}

/* False: no open stream comes from this socket or goes to it. Without a port of its own it may be any: closed, or a tun's. */
static __always_inline bool sock_may_be_open(const bool typed, struct sock *sk)
{
	__u32 ports = LOAD(sk, __sk_common.skc_portpair);

	return !(ports >> 16) || slot_is_open(ports >> 16, bpf_ntohs((__u16)ports));
}

/* Its own, in host order. */
static __always_inline __u32 sock_port(__u64 sk)
{
	return BPF_CORE_READ((struct sock *)sk, __sk_common.skc_portpair) >> 16;
}

/* What was written is sent, or will be: the number of a FIN is not among that of its bytes. */
static __always_inline bool sock_may_send(struct sock *sk)
{
	__u32 state = BPF_CORE_READ(sk, __sk_common.skc_state);

	return state == BPF_TCP_ESTABLISHED || state == BPF_TCP_CLOSE_WAIT;
}

/* 1 if it closes: a FIN has a sequence number. What TCP receives begins with its header. */
static __always_inline __u32 fin_of(__u64 skb)
{
	unsigned char *header = BPF_CORE_READ((struct sk_buff *)skb, data);
	__u8 flags = 0;

	bpf_probe_read_kernel(&flags, sizeof(flags), header + 13);
	return flags & 1;
}

static __always_inline bool is_after(__u32 a, __u32 b)
{
	return (__s32)(a - b) > 0;
}

static __always_inline struct tcp_sock___bytes *bytes_of(__u64 sk)
{
	return (void *)sk;
}

/* The ends of a socket as its peer has them. */
static __always_inline void peer_ends(__u64 sk, struct sock_ends *ends)
{
	struct sock_ends own = {};

	sock_ends_fill(false, (void *)sk, &own);
	ends->local_hi = own.remote_hi;
	ends->local_lo = own.remote_lo;
	ends->remote_hi = own.local_hi;
	ends->remote_lo = own.local_lo;
	ends->local_port = own.remote_port;
	ends->remote_port = own.local_port;
}

static __always_inline void count_open(__u32 slot, __s32 n)
{
	__sync_fetch_and_add(&n_open, n);
	__sync_fetch_and_add(&open_at[slot & (SLOTS - 1)], n);
}
