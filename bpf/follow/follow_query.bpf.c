// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One request in N to a server, followed from its client, or from its arrival, to the end of its answer. This file is the table of
 * hooks: of a connection (exchanges.h, clients.h, unix_exchanges.h), and of the threads that serve it (servers.h). But for unix sockets
 * all are tracepoints of every kernel from 5.10 on. Each function has a socket of one end; the exchange is found by the chosen one, which may
 * be the other.
 */
#include "core.h"
#include "skb.h"

#include "query.h"
#include "lib/block/args.h"
#include "lib/core/arg.h"
#include "lib/core/tracepoint.h"
#include "lib/net/server_ports.h"

#include "clients.h"
#include "completions.h"
#include "exchanges.h"
#include "servers.h"
#include "unix_exchanges.h"
#include "words.h"

/* ---- segments for the server's socket: the request, and what is acknowledged of the answer */

struct arrived { /* in order, and new */
	__u32 lo, hi;
	__u32 ack;
	__u32 is_first;	 /* of the connection */
	__u32 is_unread; /* so is what came before it */
};

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

/*
 * Bytes [lo, hi) have come: a request that is the sample, whose number it gives, or, if the connection is only to be armed, of what is
 * not known. `sent`: what was followed on it before, if that knows when the request was sent, and by whom; else NULL.
 */
static __noinline __u64 open_exchange(__u64 sk, __u32 lo, __u32 hi, bool is_sample, const struct exchange *sent)
{
	struct connection c;
	struct exchange e = {.start = lo, .client_sent = hi, .arrived = hi, .read = lo};

	if (!may_begin())
		return 0;
	connection_fill(sk, false, &c);
	e.slot = slot_of(c.ends.local_port, c.ends.remote_port);
	e.answer = e.sent = e.received = e.client_read = e.acked = BPF_CORE_READ(bytes_of(sk), write_seq);
	if (is_sample)
		e.sample = next_sample();
	if (sent && is_after(sent->client_sent, hi))
		e.client_sent = sent->client_sent;
	if (!add_exchange(sk, &e, &c) || !e.sample)
		return 0;
	if (!sent) {
		emit_query_start(sk, &e, hi, &c.ends, NULL);
		return e.sample;
	}
	e.client_sent_ns = sent->client_sent_ns;
	emit_query_start(sk, &e, lo, &c.ends, &sent->sender);
	emit_query(QUERY_MORE, sk, e.sample, hi, 0);
	return e.sample;
}

/* Of a connection of which nothing is known yet: all that an unsampled request pays, and what acknowledges an answer. */
static __noinline int arrive(__u64 sk, __u64 skb)
{
	struct arrived a = {};

	if (tcp_skb_read(&a.lo, skb, seq) || tcp_skb_read(&a.hi, skb, end_seq) || a.lo == a.hi || !hit())
		return 0;
	if (!read_arrived(sk, skb, &a))
		return 0;
	deliver_request(sk, sk, open_exchange(sk, a.lo, a.hi, a.is_first, NULL));
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
	bool was_sent;
	__u64 sample;
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
		end_exchange(sk, old.sample, old.slot, 0);
		if (hit())
			deliver_request(sk, sk, open_exchange(sk, a.lo, a.hi, true, NULL));
		return 0;
	}
	if (BPF_CORE_READ(bytes_of(sk), write_seq) == old.answer) { /* no answer yet */
		if (is_after(a.hi, old.client_sent))
			e->client_sent = a.hi;
		if (old.sample)
			emit_query(QUERY_MORE, sk, old.sample, a.hi, 0);
		deliver_request(sk, sk, old.sample);
		return 0;
	}
	if (old.sample)
		emit_query(QUERY_NEXT, sk, old.sample, 0, 0);
	close_exchange(sk, old.slot);
	if (old.sample && !hit())
		return 0;
	was_sent = old.client_sent_ns && old.client_sent_from == a.lo;
	sample = open_exchange(sk, a.lo, a.hi, !a.is_unread, was_sent ? &old : NULL);
	if (sample && was_sent) /* not within it: the stack of 5.10 is too short */
		await_answer(old.sender.tid, sk, sample);
	deliver_request(sk, sk, sample);
	return 0;
}

/* The answer, at the client's socket. Of one whose server is elsewhere only what is next in order is known to be all. */
static __noinline int receive_answer(__u64 sk, __u64 skb)
{
	__u64 chosen = chosen_by_client(sk);
	struct exchange *e = chosen ? exchange_of(chosen) : NULL;
	struct query_hop *h;
	__u32 lo = 0, hi = 0;

	if (!e && from_client)
		return choose_client(sk, skb);
	if (!e || !e->sample || tcp_skb_read(&lo, skb, seq) || tcp_skb_read(&hi, skb, end_seq))
		return 0;
	hi -= fin_of(skb);
	if (!is_after(hi, e->received))
		return 0;
	if (from_client ? lo != BPF_CORE_READ(bytes_of(sk), rcv_nxt) : is_after(hi, e->sent))
		return 0;
	e->received = hi;
	h = new_query(QUERY_RECEIVE, chosen, e->sample);
	if (!h)
		return 0;
	h->hi = hi;
	if (from_client)
		h->min_rtt_us = BPF_CORE_READ((struct tcp_sock *)sk, rtt_min.s[0].v);
	emit_submit(h, sizeof(*h));
	return 0;
}

TRACEPOINT(tcp_probe, struct sock *sk)
{
	__u32 both = LOAD(sk, __sk_common.skc_portpair);
	__u32 may_be_known;

	if (n_open)
		end_arrival();
	if (is_server_port(both >> 16)) {
		may_be_known = n_open && sock_may_be_open(typed, sk);
		if (from_client)
			return may_be_known ? arrive_from_client(arg(ctx, 0), arg(ctx, 1)) : 0;
		return may_be_known ? arrive_known(arg(ctx, 0), arg(ctx, 1)) : arrive(arg(ctx, 0), arg(ctx, 1));
	}
	if ((!n_open && !from_client) || !is_server_port(bpf_ntohs((__u16)both)))
		return 0;
	if (n_open && sock_may_be_open(typed, sk))
		return receive_answer(arg(ctx, 0), arg(ctx, 1));
	return from_client ? choose_client(arg(ctx, 0), arg(ctx, 1)) : 0;
}

/* ---- reads, of either end; at the end of each copy to an application, by whatever call */

static __noinline int read_request(__u64 sk)
{
	__u64 chosen = chosen_by_server(sk);
	struct exchange *e = chosen ? exchange_of(chosen) : NULL;
	__u32 read, before;

	if (!e || !e->sample) {
		if (labels && !from_client)
			emit_prepared(sk, QUERY_WORDS);
		serve_other(sk);
		return 0;
	}
	read = BPF_CORE_READ(bytes_of(sk), copied_seq);
	before = e->read;
	if (!is_after(read, before))
		return 0;
	e->read = read;
	serve(current_tid(), chosen, e->sample); /* first, so that no wait after it is missed */
	if (!labels || from_client || !emit_request_words(QUERY_READ, sk, e, before, read))
		emit_query(QUERY_READ, chosen, e->sample, read, 0);
	return 0;
}

static __noinline int read_answer(__u64 sk)
{
	__u64 chosen = chosen_by_client(sk);
	struct exchange *e = chosen ? sampled_exchange(chosen) : NULL;
	__u32 read = BPF_CORE_READ(bytes_of(sk), copied_seq), end;

	if (!e)
		return 0;
	end = from_client ? e->received : e->sent;
	if (read == end + 1 && BPF_CORE_READ((struct sock *)sk, sk_shutdown) & RCV_SHUTDOWN) /* a FIN */
		read = end;
	if (!is_after(read, e->client_read) || (!from_client && is_after(read, end)))
		return 0;
	e->client_read = read;
	emit_query(QUERY_CLIENT_READ, chosen, e->sample, read, 0);
	return 0;
}

TRACEPOINT(tcp_rcv_space_adjust, struct sock *sk)
{
	__u32 both;

	if (!n_open && !(labels && (!from_client || has_numbers)))
		return 0;
	both = LOAD(sk, __sk_common.skc_portpair);
	if (is_server_port(both >> 16))
		return read_request(arg(ctx, 0));
	if (is_server_port(bpf_ntohs((__u16)both))) {
		if (from_client)
			pass_answer(arg(ctx, 0));
		if (n_open && sock_may_be_open(typed, sk))
			read_answer(arg(ctx, 0)); /* which may be that of an upstream, too */
	}
	if (!n_open)
		return 0;
	return ask_upstream(arg(ctx, 0), 0);
}

/* ---- what leaves: all that was written since the last time, at least in part */

static __noinline int send_answer(__u64 sk, __u32 by_task)
{
	__u64 chosen = chosen_by_server(sk);
	struct exchange *e = chosen ? exchange_of(chosen) : NULL;
	__u32 written;

	if (!from_client && by_task)
		pass_answer(sk);
	if (!e || !e->sample) {
		if (by_task && sock_may_send((void *)sk)) /* a handshake's answer has no whole socket, nor an owner */
			serve_other(sk);
		return 0;
	}
	written = BPF_CORE_READ(bytes_of(sk), write_seq);
	if (!is_after(written, e->sent) || !sock_may_send((void *)sk))
		return 0;
	e->sent = written;
	e->answered_ns = bpf_ktime_get_ns();
	emit_query(QUERY_SEND, chosen, e->sample, written, by_task ? QUERY_BY_TASK : 0);
	return 0;
}

static __noinline int send_request(__u64 sk, __u32 by_task)
{
	__u64 server;

	if (from_client)
		return send_from_client(sk, by_task);
	server = chosen_across(sk);
	if (server && sock_may_send((void *)sk))
		see_client_send(server, BPF_CORE_READ(bytes_of(sk), write_seq), by_task);
	return 0;
}

TRACEPOINT(net_dev_queue, struct sk_buff *skb)
{
	struct sock *sk;
	__u32 both, is_owned;
	__u64 from;

	if (!n_open && !(labels && (from_client || has_numbers)))
		return 0;
	sk = LOAD(skb, sk);
	if (!sk)
		return 0;
	both = LOAD(sk, __sk_common.skc_portpair);
	from = (__u64)BPF_CORE_READ((struct sk_buff *)arg(ctx, 0), sk);
	is_owned = sock_is_owned(typed, sk);
	if (is_server_port(both >> 16))
		return send_answer(from, is_owned);
	if (is_server_port(bpf_ntohs((__u16)both)) && ((from_client && labels) || sock_may_be_open(typed, sk)))
		send_request(from, is_owned);
	return n_open && is_owned ? ask_upstream(from, arg(ctx, 0)) : 0;
}

/* The answer; of a connection that was chosen at its client the request, too. */
static __noinline int send_again(__u64 sk)
{
	struct exchange *e = sampled_exchange(sk);
	__u64 chosen = sk;

	if (!e && from_client) {
		chosen = chosen_across(sk);
		e = chosen ? sampled_exchange(chosen) : NULL;
	}
	if (e)
		emit_query(QUERY_RETRANSMIT, chosen, e->sample, e->sent, 0);
	return 0;
}

TRACEPOINT(tcp_retransmit_skb)
{
	return n_open ? send_again(arg(ctx, 0)) : 0;
}

static __noinline int end_socket(__u64 sk)
{
	struct exchange *e = exchange_of(sk);

	if (e)
		end_exchange(sk, e->sample, e->slot, BPF_CORE_READ((struct sock *)sk, sk_err));
	return 0;
}

TRACEPOINT(tcp_destroy_sock)
{
	return n_open ? end_socket(arg(ctx, 0)) : 0;
}

/* Only with from_client. */
TRACEPOINT(inet_sock_set_state, struct sock *sk, int from, int to)
{
	if (from != BPF_TCP_SYN_SENT || to != BPF_TCP_ESTABLISHED)
		return 0;
	return is_server_port(bpf_ntohs((__u16)LOAD(sk, __sk_common.skc_portpair))) ? begin_connection(arg(ctx, 0)) : 0;
}

/* ---- unix sockets: with --path, and then none of the above; by functions where the kernel has not the tracepoints (6.3) */

TRACEPOINT(sk_data_ready, struct sock *sk)
{
	return LOAD(sk, __sk_common.skc_family) == AF_UNIX ? unix_ready(arg(ctx, 0)) : 0;
}

SEC("fentry/sock_def_readable") int sock_def_readable__fentry(tp_ctx *ctx)
{
	__u64 sk = arg(ctx, 0);

	return BPF_CORE_READ((struct sock *)sk, __sk_common.skc_family) == AF_UNIX ? unix_ready(sk) : 0;
}

TRACEPOINT(sock_recv_length, struct sock *sk, int n, int flags)
{
	if ((!n_open && !labels) || LOAD(sk, __sk_common.skc_family) != AF_UNIX)
		return 0;
	return unix_read(arg(ctx, 0), n, flags);
}

SEC("fexit/unix_stream_recvmsg") int unix_stream_recvmsg__fexit(tp_ctx *ctx)
{
	struct socket *socket = (void *)arg(ctx, 0);

	if (!n_open && !labels)
		return 0;
	return unix_read((__u64)BPF_CORE_READ(socket, sk), (int)arg(ctx, 4), (int)arg(ctx, 3));
}

SEC("fentry/unix_release") int unix_release__fentry(tp_ctx *ctx)
{
	struct socket *socket = (void *)arg(ctx, 0);

	return n_open ? unix_end((__u64)BPF_CORE_READ(socket, sk)) : 0;
}

/* ---- the threads that serve, and those that send */

TRACEPOINT(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	if (!n_open)
		return 0;
	leave_cpu(LOAD(prev, pid), preempt ? 0 : task_state(typed, prev), ctx);
	return take_cpu(LOAD(next, pid), LOAD(next, sched_info.pcount) + 1, ctx);
}

TRACEPOINT(sched_waking, struct task_struct *task)
{
	return n_open ? wake(LOAD(task, pid), LOAD(task, flags) & PF_KTHREAD, ctx) : 0;
}

/* ---- the disks that these wait for */

TRACEPOINT(block_rq_insert)
{
	return n_open ? submit_request(request_arg(ctx), 0) : 0;
}

TRACEPOINT(block_rq_issue)
{
	return n_open ? issue_request(request_arg(ctx)) : 0;
}

TRACEPOINT(block_rq_complete)
{
	return n_open ? complete_request(arg(ctx, 0), arg(ctx, 2), ctx) : 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
