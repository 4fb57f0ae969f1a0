// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One UDP datagram in N, followed by its packet from the call that sends it, or, receiving, from the device that it arrives at, to its
 * reader or to the driver that has sent it (README.md). This file is the table of hooks; the stages are in datagrams.h and datagram_queues.h.
 */
#include "core.h"

#include "lib/core/arg.h"
#include "lib/core/tracepoint.h"

#include "datagram_queues.h"
#include "datagrams.h"
#include "reader_hooks.h"
#include "readers.h"
#include "send_syscalls.h"

const volatile bool has_udpv6; /* udpv6_sendmsg is traced */
const volatile bool has_reason; /* 5.17 and later: the third argument of kfree_skb */

/* ---- the system call, by functions */

static __always_inline int enter_function(tp_ctx *ctx)
{
	return call_chosen() ? begin_send(arg(ctx, 0), 0) : 0;
}

static __always_inline int leave_function(tp_ctx *ctx)
{
	return n_calls ? end_send((int)arg(ctx, 3), 0) : 0;
}

/* An IPv6 socket that sends to an IPv4 address is in udpv6_sendmsg already. */
static __always_inline bool is_inner(tp_ctx *ctx)
{
	struct sock *sk = (void *)typed_arg(ctx, 0);

	return has_udpv6 && sk->__sk_common.skc_family == AF_INET6;
}

SEC("fentry/udp_sendmsg") int udp_sendmsg__fentry(tp_ctx *ctx)
{
	return is_inner(ctx) ? 0 : enter_function(ctx);
}

SEC("fexit/udp_sendmsg") int udp_sent__fexit(tp_ctx *ctx)
{
	return is_inner(ctx) ? 0 : leave_function(ctx);
}

SEC("fentry/udpv6_sendmsg") int udpv6_sendmsg__fentry(tp_ctx *ctx)
{
	return enter_function(ctx);
}

SEC("fexit/udpv6_sendmsg") int udpv6_sent__fexit(tp_ctx *ctx)
{
	return leave_function(ctx);
}

/* ---- devices */

/* To a device, or to wait for an address: here a sampled call's packets are first seen. */
static __noinline int give_datagram(__u64 skb, __u32 kind)
{
	if (n_calls)
		bind_packet(skb);
	return may_be_followed(skb) ? pass_datagram(skb, kind, STAGE_SENDING) : 0;
}

TRACEPOINT(neigh_event_send_done)
{
	struct neighbour *neigh;
	__u64 last;

	if (!n_calls || !(int)arg(ctx, 1))
		return 0;
	neigh = (void *)arg(ctx, 0);
	last = (__u64)BPF_CORE_READ(neigh, arp_queue.prev);
	if (last == (__u64)neigh + bpf_core_field_offset(struct neighbour, arp_queue))
		return 0;
	return give_datagram(last, SEND_NEIGHBOUR);
}

TRACEPOINT(net_dev_queue)
{
	return n_calls || in_flight() ? give_datagram(arg(ctx, 0), SEND_QUEUE) : 0;
}

static __noinline int transmit_datagram(__u64 skb)
{
	return may_be_followed(skb) ? pass_datagram(skb, SEND_XMIT, STAGE_SENDING) : 0;
}

TRACEPOINT(net_dev_start_xmit)
{
	return in_flight() ? transmit_datagram(arg(ctx, 0)) : 0;
}

/* 1: the packet is a sample. Fragments are none; a short one may be padded. Its address besides, as a typed pointer permits no arithmetic. */
static __always_inline int arrive(const bool typed, struct sk_buff *skb, __u64 address)
{
	struct datagram d = {}, *known;
	struct segment s = {};

	if (!datagram_parse(typed, skb, LOAD(skb, data) - LOAD(skb, head), &s) || s.bytes < s.seq || !s.ends.remote_port)
		return 0;
	known = followed_datagram(address);
	if (known && is_moving(known, address))
		return 0;
	if (!ports_pass(&s.ends) || (every && !every_hit()))
		return 0;
	d.sample = next_sample();
	d.hi = s.bytes = s.seq;
	d.port = s.ends.remote_port;
	d.dev = device_of(address);
	s.seq = 0;
	if (!follow_datagram(address, &d))
		return 0;
	emit_arrival(d.sample, address, &s, (void *)address, arrivals_told ? 0 : RECV_UNQUEUED);
	return deliver_datagram(address);
}

static __noinline int arrive_typed(struct sk_buff *skb, __u64 address)
{
	return arrive(true, skb, address);
}

static __noinline int arrive_raw(struct sk_buff *skb, __u64 address)
{
	return arrive(false, skb, address);
}

TRACEPOINT(netif_receive_skb, struct sk_buff *skb)
{
	if (n_open)
		*delivered_here() = 0;
	end_arrival();
	if (receiving && arrival_chosen() && (typed ? arrive_typed(skb, arg(ctx, 0)) : arrive_raw(skb, arg(ctx, 0))))
		return 0;
	return in_flight() ? receive_datagram(arg(ctx, 0)) : 0;
}

static __noinline int lose_datagram(__u64 skb, __u32 reason)
{
	if (n_calls)
		bind_packet(skb);
	return may_be_followed(skb) ? drop_datagram(skb, reason) : 0;
}

TRACEPOINT(kfree_skb)
{
	if (!n_calls && !in_flight())
		return 0;
	return lose_datagram(arg(ctx, 0), has_reason ? arg(ctx, 2) : SEND_NO_REASON);
}

TRACEPOINT(consume_skb)
{
	return in_flight() ? free_datagram(arg(ctx, 0)) : 0;
}

/* ---- the receiving socket */

TRACEPOINT(sk_data_ready, struct sock *sk)
{
	return in_flight() && LOAD(sk, sk_protocol) == PROTOCOL_UDP ? queue_datagrams(arg(ctx, 0)) : 0;
}

TRACEPOINT(sock_recv_length, struct sock *sk)
{
	if (!bpf_core_type_exists(struct udp_prod_queue)) /* asked by src/follow/datagram/chain.cpp, too */
		return 0;
	if (!in_flight() || LOAD(sk, sk_protocol) != PROTOCOL_UDP || (int)arg(ctx, 1) < 0 || arg(ctx, 2) & MSG_PEEK)
		return 0;
	return read_socket(arg(ctx, 0), (int)arg(ctx, 1));
}

SEC("fentry/skb_consume_udp") int skb_consume_udp__fentry(tp_ctx *ctx)
{
	return in_flight() ? consume_datagram(arg(ctx, 1)) : 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
