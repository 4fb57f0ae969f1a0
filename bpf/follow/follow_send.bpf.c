// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One send in N, followed through every layer by the sequence numbers of its bytes, or, receiving, one segment in N, from its
 * device to its reader (README.md). This file is the table of hooks; each one's first test says whether any sample is
 * under way. The stages are in sends.h, streams.h, segment.h, arrivals.h.
 */
#include "core.h"

#include "send.h"
#include "lib/core/arg.h"
#include "lib/core/tracepoint.h"

#include "arrivals.h"
#include "reader_hooks.h"
#include "segment.h"
#include "send_syscalls.h"
#include "sends.h"
#include "streams.h"

const volatile bool has_reason; /* 5.17 and later: the third argument of kfree_skb */

/* ---- the system call: beside those of send_syscalls.h ---- */

/* By functions: tcp_sendmsg_locked() sees io_uring and splice, too, and holds the socket. */
SEC("fentry/tcp_sendmsg_locked") int send_enter__fentry(tp_ctx *ctx)
{
	return call_chosen() ? begin_send(arg(ctx, 0), 0) : 0;
}

SEC("kprobe/tcp_sendmsg_locked") int send_enter__kprobe(struct pt_regs *ctx)
{
	return call_chosen() ? begin_send(PT_REGS_PARM1(ctx), 0) : 0;
}

SEC("fexit/tcp_sendmsg_locked") int send_leave__fexit(tp_ctx *ctx)
{
	return n_calls ? end_send((int)arg(ctx, 3), 0) : 0;
}

SEC("kretprobe/tcp_sendmsg_locked") int send_leave__kretprobe(struct pt_regs *ctx)
{
	return n_calls ? end_send((int)PT_REGS_RC(ctx), 0) : 0;
}

/* ---- segments ---- */

/* The followed socket that sends this packet; 0: none. One that has lost its socket (netem, another namespace) has its ends. */
static __always_inline __u64 sender_of(__u64 skb, const struct segment *s)
{
	__u64 sk = (__u64)BPF_CORE_READ((struct sk_buff *)skb, sk), *sender;

	if (receiving && sk && sock_port(sk) != s->ends.remote_port)
		return 0; /* the sender's, which sends it again */
	if (!receiving && sk && stream_of(sk))
		return sk;
	if (!slot_is_open(s->ends.local_port, s->ends.remote_port))
		return 0;
	sender = bpf_map_lookup_elem(&senders, &s->ends);
	return sender ? *sender : 0;
}

/* False: no open stream has this packet, as its headers say. One read tells of most: IPv4 without options. */
static __always_inline bool packet_may_be_open(const bool typed, struct sk_buff *skb, __u32 at)
{
	struct {
		struct ipv4_header ip;
		__be16 source, dest;
	} peek;

	if (LOAD(skb, protocol) != bpf_htons(ETHERTYPE_IPV4) ||
	    bpf_probe_read_kernel(&peek, sizeof(peek), LOAD(skb, head) + at))
		return true;
	if (peek.ip.protocol != PROTOCOL_TCP)
		return false;
	return peek.ip.version_words != 0x45 || slot_is_open(bpf_ntohs(peek.source), bpf_ntohs(peek.dest));
}

static __always_inline int pass_segment(const bool typed, struct sk_buff *skb, __u32 at, __u32 kind, __u32 reason)
{
	struct segment s = {};
	struct send_hop *h;
	struct stream *st;
	__u64 sk;

	if (!segment_parse(typed, skb, at, &s))
		return 0;
	sk = sender_of((__u64)skb, &s);
	if (!sk)
		return 0;
	st = stream_of(sk);
	if (!st || !touches(st, s.seq, s.seq + s.bytes))
		return 0;
	h = new_part(kind, sk, s.seq, s.seq + s.bytes, kind == SEND_DROP ? 0 : (__u64)skb);
	if (!h)
		return 0;
	h->reason = reason;
	emit_submit(h, sizeof(*h));
	return 0;
}

static __always_inline int pass_packet(const bool typed, struct sk_buff *skb, __u32 kind, __u32 reason)
{
	__u32 at = LOAD(skb, network_header);

	if (kind == SEND_RECEIVE) /* by a device: the header is where the data begins */
		at = LOAD(skb, data) - LOAD(skb, head);
	/* Of one that has its socket NAT may have changed the ports. */
	if (!LOAD(skb, sk) && !packet_may_be_open(typed, skb, at))
		return 0;
	return pass_segment(typed, skb, at, kind, reason);
}

/* Not inlined, or a program would make room for them at its entry, for each packet. Global ones take no typed pointer. */
static __noinline int pass_typed(struct sk_buff *skb, __u32 kind, __u32 reason)
{
	return pass_packet(true, skb, kind, reason);
}

static __noinline int pass_raw(struct sk_buff *skb, __u32 kind, __u32 reason)
{
	return pass_packet(false, skb, kind, reason);
}

/* A packet that is sent still has its socket, most often. */
static __always_inline int pass(const bool typed, struct sk_buff *skb, __u32 kind, __u32 reason)
{
	struct sock *owner = LOAD(skb, sk);

	if (owner && !sock_may_be_open(typed, owner))
		return 0;
	return typed ? pass_typed(skb, kind, reason) : pass_raw(skb, kind, reason);
}

TRACEPOINT(net_dev_queue, struct sk_buff *skb)
{
	return in_flight() ? pass(typed, skb, SEND_QUEUE, 0) : 0;
}

TRACEPOINT(net_dev_start_xmit, struct sk_buff *skb)
{
	return in_flight() ? pass(typed, skb, SEND_XMIT, 0) : 0;
}

TRACEPOINT(netif_receive_skb, struct sk_buff *skb)
{
	if (receiving) {
		end_arrival();
		if (arrival_chosen() && (typed ? arrive_typed(skb) : arrive_raw(skb)))
			return 0;
	}
	return in_flight() ? pass(typed, skb, SEND_RECEIVE, 0) : 0;
}

TRACEPOINT(kfree_skb, struct sk_buff *skb)
{
	if (!in_flight())
		return 0;
	return pass(typed, skb, SEND_DROP, has_reason ? arg(ctx, 2) : SEND_NO_REASON);
}

static __always_inline int emit_segment(__u32 kind, __u64 sk, __u64 skb)
{
	struct stream *s = stream_of(sk);
	__u32 lo = 0, hi = 0;
	struct send_hop *h;

	if (!s || tcp_skb_read(&lo, skb, seq) || tcp_skb_read(&hi, skb, end_seq) || !touches(s, lo, hi))
		return 0;
	if (kind == SEND_TCP_RECEIVE)
		s->is_local = 1;
	h = new_part(kind, sk, lo, hi, 0);
	if (h)
		emit_submit(h, sizeof(*h));
	return 0;
}

__noinline int send_again(__u64 sk, __u64 skb)
{
	return emit_segment(SEND_RETRANSMIT, sk, skb);
}

TRACEPOINT(tcp_retransmit_skb)
{
	return in_flight() ? send_again(arg(ctx, 0), arg(ctx, 1)) : 0;
}

/* ---- acknowledgement, and the receiving socket ---- */

/* All before `ack` is acknowledged. */
__noinline int acknowledge(__u64 sk, __u32 ack)
{
	struct stream *s = stream_of(sk);
	struct send_hop *h;
	__u32 from;

	if (!s || !is_after(ack, s->acked) || !is_after(s->hi, s->acked))
		return 0;
	from = s->acked;
	s->acked = ack;
	h = new_part(SEND_ACK, sk, from, ack, 0);
	if (h)
		emit_submit(h, sizeof(*h));
	settle_stream(sk, s);
	return 0;
}

/* A segment for an established socket: it may acknowledge what this one sent, and bring what another one sent. */
__noinline int receive_segment(__u64 sk, __u64 skb)
{
	__u32 ack = 0, before;
	__u64 sender;

	if (stream_of(sk) && !tcp_skb_read(&ack, skb, ack_seq)) {
		before = BPF_CORE_READ(bytes_of(sk), snd_una);
		/* One that brings nothing new makes up for one that no program saw. */
		if (!is_after(ack, before) || is_after(ack, BPF_CORE_READ(bytes_of(sk), snd_nxt)))
			ack = before;
		acknowledge(sk, ack);
	}
	sender = sender_to(sk);
	return sender ? emit_segment(SEND_TCP_RECEIVE, sender, skb) : 0;
}

TRACEPOINT(tcp_probe, struct sock *sk)
{
	if (receiving) {
		end_arrival();
		return in_flight() && sock_may_be_open(typed, sk) ? take_segment(arg(ctx, 0), arg(ctx, 1)) : 0;
	}
	return in_flight() && sock_may_be_open(typed, sk) ? receive_segment(arg(ctx, 0), arg(ctx, 1)) : 0;
}

/*
 * tcp_probe sees established sockets alone; after close() or shutdown() this sees what is acknowledged. Rejected: tcp_ack(), by
 * which each segment of a living connection would pay, too.
 */
static __always_inline int acknowledge_all(__u64 sk)
{
	return acknowledge(sk, BPF_CORE_READ(bytes_of(sk), snd_una));
}

SEC("fexit/tcp_rcv_state_process") int tcp_rcv_state_process__fexit(tp_ctx *ctx)
{
	return in_flight() ? acknowledge_all(arg(ctx, 0)) : 0;
}

__noinline int read_socket(__u64 sk, __u32 kind)
{
	__u64 sender = sender_to(sk);
	struct stream *s = sender ? stream_of(sender) : NULL;
	__u32 read = BPF_CORE_READ(bytes_of(sk), copied_seq), from;
	struct send_hop *h;

	if (!s || !is_after(s->hi, s->read) || (kind == SEND_READ && !is_after(read, s->read)))
		return 0;
	from = s->read;
	if (is_after(read, s->read))
		s->read = read;
	s->is_local = kind == SEND_READ; /* of a socket that has ended nobody reads any more */
	if (receiving && kind == SEND_READ) {
		emit_read(sender, 0, from, read);
	} else {
		h = new_part(kind, sender, from, read, 0);
		if (h && receiving && !closer_passes(sk))
			h->flags |= RECV_OTHERS;
		if (h)
			emit_submit(h, sizeof(*h));
	}
	if (receiving ? kind == SEND_PEER_CLOSE : sender & STREAM_GONE && is_over(s))
		forget_gone(sender, sk);
	else
		settle_stream(sender, s);
	return 0;
}

/* At the end of each copy to an application, by whatever call. */
TRACEPOINT(tcp_rcv_space_adjust, struct sock *sk)
{
	return in_flight() && sock_may_be_open(typed, sk) ? read_socket(arg(ctx, 0), SEND_READ) : 0;
}

/* ---- the end of a connection ---- */

__noinline int emit_reset(__u64 sk, __u32 by)
{
	struct send_hop *h;

	if (!sk || !stream_of(sk))
		return 0;
	h = new_send(SEND_RESET, sk);
	if (!h)
		return 0;
	h->result = by;
	emit_submit(h, sizeof(*h));
	return 0;
}

__noinline int send_reset(__u64 sk)
{
	if (!sk)
		return 0;
	if (!receiving)
		emit_reset(sk, RESET_BY_SENDER);
	return emit_reset(sender_to(sk), RESET_BY_READER);
}

__noinline int receive_reset(__u64 sk)
{
	return emit_reset(receiving ? sender_to(sk) : sk, RESET_BY_PEER);
}

TRACEPOINT(tcp_receive_reset)
{
	return in_flight() ? receive_reset(arg(ctx, 0)) : 0;
}

TRACEPOINT(tcp_send_reset)
{
	return in_flight() ? send_reset(arg(ctx, 0)) : 0;
}

__noinline int change_state(__u64 sk)
{
	return stream_of(sk) ? acknowledge_all(sk) : 0;
}

TRACEPOINT(inet_sock_set_state)
{
	return in_flight() ? change_state(arg(ctx, 0)) : 0;
}

__noinline int end_socket(__u64 sk)
{
	struct stream *s;
	struct send_hop *h;

	if (in_flight())
		read_socket(sk, SEND_PEER_CLOSE);
	s = receiving ? NULL : stream_of(sk);
	if (!s)
		return 0;
	acknowledge_all(sk);
	leave_stream(sk, s);
	h = new_send(SEND_CLOSE, sk);
	if (!h)
		return 0;
	h->lo = h->hi = BPF_CORE_READ(bytes_of(sk), snd_una);
	h->result = BPF_CORE_READ((struct sock *)sk, sk_err);
	emit_submit(h, sizeof(*h));
	return 0;
}

/* Also where no stream is open: what is kept of one that was must not be taken for that of the next socket here. */
TRACEPOINT(tcp_destroy_sock)
{
	return n_sampled ? end_socket(arg(ctx, 0)) : 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
