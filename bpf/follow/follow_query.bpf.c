// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One request in N of a TCP server, followed from its arrival to the end of its answer. This file is the table of hooks: of a
 * connection (exchanges.h), and of the threads that serve it (servers.h). All are tracepoints of every kernel from 5.10 on.
 */
#include "core.h"
#include "skb.h"

#include "query.h"
#include "lib/core/arg.h"
#include "lib/core/tracepoint.h"
#include "lib/net/server_ports.h"

#include "exchanges.h"
#include "servers.h"
#include "words.h"

/* ---- segments for the server's socket: the request, and what is acknowledged of the answer */

struct arrived { /* in order, and new */
	__u32 lo, hi;
	__u32 ack;
	__u32 is_first;	 /* of the connection */
	__u32 is_unread; /* so is what came before it */
};

/* 1 if it closes: a FIN has a sequence number. What TCP receives begins with its header. */
static __always_inline __u32 fin_of(__u64 skb)
{
	unsigned char *header = BPF_CORE_READ((struct sk_buff *)skb, data);
	__u8 flags = 0;

	bpf_probe_read_kernel(&flags, sizeof(flags), header + 13);
	return flags & 1;
}

/* False: it brings no data, or none that the reader could have next. */
static __always_inline bool read_arrived(__u64 sk, __u64 skb, struct arrived *a)
{
	__u32 next = BPF_CORE_READ(bytes_of(sk), rcv_nxt);

	if (tcp_skb_read(&a->lo, skb, seq) || tcp_skb_read(&a->hi, skb, end_seq) ||
	    tcp_skb_read(&a->ack, skb, ack_seq))
		return false;
	a->hi -= fin_of(skb);
	if (a->lo != next || !is_after(a->hi, a->lo))
		return false;
	a->is_first = !BPF_CORE_READ((struct tcp_sock *)sk, bytes_received);
	a->is_unread = BPF_CORE_READ(bytes_of(sk), copied_seq) != next;
	return true;
}

/* Of a connection of which nothing is known yet: all that an unsampled request pays, and what acknowledges an answer. */
static __noinline int arrive(__u64 sk, __u64 skb)
{
	struct arrived a = {};

	if (tcp_skb_read(&a.lo, skb, seq) || tcp_skb_read(&a.hi, skb, end_seq) || a.lo == a.hi || !hit())
		return 0;
	if (!read_arrived(sk, skb, &a))
		return 0;
	open_exchange(sk, a.lo, a.is_first ? a.hi : a.lo);
	return 0;
}

static __always_inline void acknowledge(__u64 sk, struct exchange *e, __u32 ack)
{
	if (ack != e->sent || !is_after(ack, e->acked) || ack != BPF_CORE_READ(bytes_of(sk), write_seq))
		return;
	e->acked = ack;
	emit_query(QUERY_ACK, sk, e->sample, ack, 0);
}

static __noinline int arrive_known(__u64 sk, __u64 skb)
{
	struct exchange *e = exchange_of(sk), old;
	struct arrived a = {};
	__u32 chosen;

	if (!e)
		return arrive(sk, skb);
	chosen = read_arrived(sk, skb, &a);
	if (e->sample)
		acknowledge(sk, e, a.ack);
	if (!chosen)
		return 0;
	old = *e;
	if (a.is_first) { /* the end of another socket at this address was not seen */
		if (old.sample)
			emit_query(QUERY_CLOSE, sk, old.sample, 0, 0);
		close_exchange(sk, old.slot);
		if (hit())
			open_exchange(sk, a.lo, a.hi);
		return 0;
	}
	if (BPF_CORE_READ(bytes_of(sk), write_seq) == old.answer) { /* no answer yet */
		if (old.sample)
			emit_query(QUERY_MORE, sk, old.sample, a.hi, 0);
		return 0;
	}
	if (old.sample)
		emit_query(QUERY_NEXT, sk, old.sample, 0, 0);
	close_exchange(sk, old.slot);
	if (!old.sample || hit())
		open_exchange(sk, a.lo, a.is_unread ? a.lo : a.hi);
	return 0;
}

/* The other way round: the answer, at the client's socket. */
static __always_inline __u64 server_to(__u64 sk)
{
	struct sock_ends ends = {};
	__u64 *server;

	peer_ends(sk, &ends);
	server = bpf_map_lookup_elem(&server_socks, &ends);
	return server ? *server : 0;
}

static __noinline int arrive_answer(__u64 sk, __u64 skb)
{
	__u64 server = server_to(sk);
	struct exchange *e = server ? sampled_exchange(server) : NULL;
	__u32 hi = 0;

	if (!e || tcp_skb_read(&hi, skb, end_seq))
		return 0;
	hi -= fin_of(skb);
	if (!is_after(hi, e->received) || is_after(hi, e->sent))
		return 0;
	e->received = hi;
	emit_query(QUERY_RECEIVE, server, e->sample, hi, 0);
	return 0;
}

TRACEPOINT(tcp_probe, struct sock *sk)
{
	__u32 both = LOAD(sk, __sk_common.skc_portpair);

	if (is_server_port(both >> 16)) {
		if (n_open && sock_may_be_open(typed, sk))
			return arrive_known(arg(ctx, 0), arg(ctx, 1));
		return arrive(arg(ctx, 0), arg(ctx, 1));
	}
	if (n_open && is_server_port(bpf_ntohs((__u16)both)) && sock_may_be_open(typed, sk))
		return arrive_answer(arg(ctx, 0), arg(ctx, 1));
	return 0;
}

/* ---- reads, of either end; at the end of each copy to an application, by whatever call */

static __noinline int read_request(__u64 sk)
{
	struct exchange *e = exchange_of(sk);
	__u32 read, before;

	if (!e || !e->sample) {
		if (labels)
			emit_prepared(sk);
		serve_other(sk);
		return 0;
	}
	read = BPF_CORE_READ(bytes_of(sk), copied_seq);
	before = e->read;
	if (!is_after(read, before))
		return 0;
	e->read = read;
	serve(current_tid(), sk, e->sample); /* first, so that no wait after it is missed */
	if (!labels || !emit_read_words(sk, e, before, read))
		emit_query(QUERY_READ, sk, e->sample, read, 0);
	return 0;
}

static __noinline int read_answer(__u64 sk)
{
	__u64 server = server_to(sk);
	struct exchange *e = server ? sampled_exchange(server) : NULL;
	__u32 read = BPF_CORE_READ(bytes_of(sk), copied_seq);

	if (e && read == e->sent + 1) /* a FIN */
		read = e->sent;
	if (!e || !is_after(read, e->client_read) || is_after(read, e->sent))
		return 0;
	e->client_read = read;
	emit_query(QUERY_CLIENT_READ, server, e->sample, read, 0);
	return 0;
}

TRACEPOINT(tcp_rcv_space_adjust, struct sock *sk)
{
	__u32 both;

	if (!n_open && !labels)
		return 0;
	both = LOAD(sk, __sk_common.skc_portpair);
	if (is_server_port(both >> 16))
		return read_request(arg(ctx, 0));
	if (n_open && is_server_port(bpf_ntohs((__u16)both)) && sock_may_be_open(typed, sk))
		return read_answer(arg(ctx, 0));
	return 0;
}

/* ---- the answer */

/* Something of the connection leaves: all that was written since the last time, at least in part. */
static __noinline int send_answer(__u64 sk, __u32 by_task)
{
	struct exchange *e = exchange_of(sk);
	__u32 written;

	if (!e || !e->sample) {
		if (by_task)
			serve_other(sk);
		return 0;
	}
	written = BPF_CORE_READ(bytes_of(sk), write_seq);
	if (!is_after(written, e->sent) || !sock_may_send((void *)sk))
		return 0;
	e->sent = written;
	emit_query(QUERY_SEND, sk, e->sample, written, by_task ? QUERY_BY_TASK : 0);
	return 0;
}

TRACEPOINT(net_dev_queue, struct sk_buff *skb)
{
	struct sock *sk;

	if (!n_open)
		return 0;
	sk = LOAD(skb, sk);
	if (!sk || !is_server_port(LOAD(sk, __sk_common.skc_portpair) >> 16))
		return 0;
	return send_answer((__u64)BPF_CORE_READ((struct sk_buff *)arg(ctx, 0), sk), sock_is_owned(typed, sk));
}

static __noinline int send_again(__u64 sk)
{
	struct exchange *e = sampled_exchange(sk);

	if (e)
		emit_query(QUERY_RETRANSMIT, sk, e->sample, e->sent, 0);
	return 0;
}

TRACEPOINT(tcp_retransmit_skb)
{
	return n_open ? send_again(arg(ctx, 0)) : 0;
}

static __noinline int end_socket(__u64 sk)
{
	struct exchange *e = exchange_of(sk);
	struct query_hop *h;

	if (!e)
		return 0;
	if (e->sample) {
		h = new_query(QUERY_CLOSE, sk, e->sample);
		if (h) {
			h->result = BPF_CORE_READ((struct sock *)sk, sk_err);
			emit_submit(h, sizeof(*h));
		}
	}
	close_exchange(sk, e->slot);
	return 0;
}

TRACEPOINT(tcp_destroy_sock)
{
	return n_open ? end_socket(arg(ctx, 0)) : 0;
}

/* ---- the threads that serve */

TRACEPOINT(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	if (!n_open)
		return 0;
	leave_cpu(LOAD(prev, pid), preempt ? 0 : task_state(typed, prev));
	return take_cpu(LOAD(next, pid), LOAD(next, sched_info.pcount) + 1);
}

TRACEPOINT(sched_waking, struct task_struct *task)
{
	return n_open ? wake(LOAD(task, pid), LOAD(task, flags) & PF_KTHREAD) : 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
