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
#include "readers.h"
#include "send_syscalls.h"

#define MSG_PEEK 2

const volatile bool receiving; /* follow recv --udp */
const volatile bool has_reason; /* 5.17 and later: the third argument of kfree_skb */

/* ---- the system call, by functions: an IPv6 socket that sends IPv4 passes both, one inside the other */

static __always_inline int enter_function(__u64 sk)
{
	__u32 tid = current_tid();
	struct send *c = n_calls ? bpf_map_lookup_elem(&sends_active, &tid) : NULL;

	if (c && c->sock == sk)
		return 0;
	if (c)
		abandon_send();
	return chosen() ? begin_send(sk, 0) : 0;
}

SEC("fentry/udp_sendmsg") int udp_sendmsg__fentry(tp_ctx *ctx)
{
	return enter_function(arg(ctx, 0));
}

SEC("fexit/udp_sendmsg") int udp_sent__fexit(tp_ctx *ctx)
{
	return n_calls ? end_send((int)arg(ctx, 3), 0) : 0;
}

SEC("fentry/udpv6_sendmsg") int udpv6_sendmsg__fentry(tp_ctx *ctx)
{
	return enter_function(arg(ctx, 0));
}

SEC("fexit/udpv6_sendmsg") int udpv6_sent__fexit(tp_ctx *ctx)
{
	return n_calls ? end_send((int)arg(ctx, 3), 0) : 0;
}

/* ---- devices */

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
	bind_packet(last);
	return may_be_followed(last) ? pass_datagram(last, SEND_NEIGHBOUR, STAGE_SENDING) : 0;
}

TRACEPOINT(net_dev_queue)
{
	__u64 skb;

	if (!n_calls && !in_flight())
		return 0;
	skb = arg(ctx, 0);
	if (n_calls)
		bind_packet(skb);
	return may_be_followed(skb) ? pass_datagram(skb, SEND_QUEUE, STAGE_SENDING) : 0;
}

TRACEPOINT(net_dev_start_xmit)
{
	__u64 skb = arg(ctx, 0);

	return may_be_followed(skb) ? pass_datagram(skb, SEND_XMIT, STAGE_SENDING) : 0;
}

static __noinline int receive_datagram(__u64 skb)
{
	struct datagram *d;

	pass_datagram(skb, SEND_RECEIVE, STAGE_RECEIVED);
	d = datagram_of(skb);
	if (d)
		deliver_datagram(skb, d->port);
	return 0;
}

/* 1: the packet is a sample. Fragments are none. Its address besides, as no arithmetic is permitted on a typed pointer. */
static __always_inline int arrive(const bool typed, struct sk_buff *skb, __u64 address)
{
	struct datagram d = {.stage = STAGE_RECEIVED};
	struct segment s = {};

	if (may_be_followed(address) && is_moving(address))
		return 0;
	if (!datagram_parse(typed, skb, LOAD(skb, data) - LOAD(skb, head), &s) || s.seq != s.bytes || !s.ends.remote_port)
		return 0;
	if (!ports_pass(&s.ends) || (every && !every_hit()))
		return 0;
	d.sample = next_sample();
	d.port = s.ends.remote_port;
	d.hi = s.bytes;
	s.seq = 0;
	emit_arrival(d.sample, address, &s, (void *)address);
	if (!follow_datagram(address, &d))
		return 0;
	deliver_datagram(address, d.port);
	return 1;
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
	__u64 address = arg(ctx, 0);

	end_arrival();
	if (receiving && arrival_chosen() && (typed ? arrive_typed(skb, address) : arrive_raw(skb, address)))
		return 0;
	return may_be_followed(address) ? receive_datagram(address) : 0;
}

TRACEPOINT(kfree_skb)
{
	__u64 skb;

	if (!n_calls && !in_flight())
		return 0;
	skb = arg(ctx, 0);
	if (n_calls)
		bind_packet(skb);
	return may_be_followed(skb) ? drop_datagram(skb, has_reason ? arg(ctx, 2) : SEND_NO_REASON) : 0;
}

TRACEPOINT(consume_skb)
{
	__u64 skb = arg(ctx, 0);

	return may_be_followed(skb) ? free_datagram(skb) : 0;
}

/* ---- the receiving socket */

TRACEPOINT(sk_data_ready, struct sock *sk)
{
	return in_flight() && LOAD(sk, sk_protocol) == PROTOCOL_UDP ? queue_datagrams(arg(ctx, 0)) : 0;
}

TRACEPOINT(sock_recv_length, struct sock *sk)
{
	if (!in_flight())
		return 0;
	if (LOAD(sk, sk_protocol) != PROTOCOL_UDP || (int)arg(ctx, 1) < 0 || arg(ctx, 2) & MSG_PEEK)
		return 0;
	return read_socket(arg(ctx, 0));
}

TRACEPOINT(sched_waking, struct task_struct *task)
{
	return n_open ? wake_reader(LOAD(task, pid)) : 0;
}

TRACEPOINT(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	if (!n_open)
		return 0;
	if (!preempt && task_state(typed, prev))
		leave_cpu(LOAD(prev, pid));
	return take_cpu(LOAD(next, pid));
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
