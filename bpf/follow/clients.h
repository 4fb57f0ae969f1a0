/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The client's end of an exchange, where that is on this machine: when the request was sent, and by whom.
 *
 * With `from_client` connections are chosen here, and the server may be anywhere. What arrives of an answer throws the dice, as does the
 * beginning of a connection; the next request is the sample, if its sender is one who was asked for.
 */
#pragma once

#include "core.h"
#include "tcp.h"

#include "connections.h"
#include "exchanges.h"
#include "lib/core/filter.h"
#include "sample.h"
#include "servers.h"
#include "words.h"

/* ---- chosen at the server */

/* Part of a request leaves its client: noted, if all that was sent before has arrived. */
static __always_inline void see_client_send(__u64 server, __u32 written, __u32 by_task)
{
	struct exchange *e = exchange_of(server);
	static const struct sender nobody;

	if (!e || !is_after(written, e->client_sent))
		return;
	if (e->client_sent == BPF_CORE_READ(bytes_of(server), rcv_nxt)) {
		e->client_sent_from = e->client_sent;
		e->client_sent_ns = bpf_ktime_get_ns();
		e->sender = nobody;
		if (by_task)
			fill_sender(&e->sender);
	}
	e->client_sent = written;
}

/* ---- chosen here */

/* The next request is the sample. What is not answered yet is none; of a connection that begins there is no such. */
static __noinline void arm_client(__u64 sk, bool begins)
{
	struct connection c;
	struct exchange e = {};

	if (!may_begin())
		return;
	connection_fill(sk, false, &c);
	e.slot = slot_of(c.ends.local_port, c.ends.remote_port);
	e.client_sent = BPF_CORE_READ(bytes_of(sk), write_seq);
	e.answer = BPF_CORE_READ(bytes_of(sk), rcv_nxt) - begins;
	add_exchange(sk, &e, &c);
}

/*
 * A connection begins. What is known of its socket is of another one that was at this address, whose end was not seen. With TCP Fast Open
 * a part of the first request has been sent by now.
 */
static __noinline int begin_connection(__u64 sk)
{
	struct exchange *e = exchange_of(sk);

	if (e)
		end_exchange(sk, e->sample, e->slot, 0);
	if (hit() && !BPF_CORE_READ((struct tcp_sock *)sk, bytes_sent))
		arm_client(sk, true);
	return 0;
}

/* Of a connection of which nothing is known yet, a part of an answer. */
static __noinline int choose_client(__u64 sk, __u64 skb)
{
	__u32 lo = 0, hi = 0;

	if (!tcp_skb_read(&lo, skb, seq) && !tcp_skb_read(&hi, skb, end_seq) && lo != hi && hit())
		arm_client(sk, false);
	return 0;
}

/* What TCP sends later is sent by nobody who could be asked for. */
static __always_inline bool sender_passes(__u32 by_task)
{
	return by_task ? filter_passes() : !task_filtered;
}

static __always_inline void emit_client_send(__u64 sk, const struct exchange *e, __u32 before, __u32 by_task)
{
	if (labels && by_task && emit_request_words(QUERY_CLIENT_MORE, sk, e, before, e->client_sent))
		return;
	if (before != e->start) /* else the sample's beginning says it */
		emit_query(QUERY_CLIENT_MORE, sk, e->sample, e->client_sent, 0);
}

/* The request whose first bytes leave is the sample. */
static __always_inline void begin_at_client(__u64 sk, struct exchange *e, __u32 written, __u32 by_task)
{
	struct sender sender = {};
	struct sock_ends ends = {};

	e->start = e->arrived = e->read = e->client_sent;
	e->client_sent = written;
	e->answer = e->sent = e->received = e->client_read = e->acked = BPF_CORE_READ(bytes_of(sk), rcv_nxt);
	e->sample = next_sample();
	e->answered_ns = 0;
	peer_ends(sk, &ends);
	if (by_task)
		fill_sender(&sender);
	await_answer(sender.tid, sk, e->sample);
	emit_query_start(sk, e, written, &ends, &sender);
	emit_client_send(sk, e, e->start, by_task);
}

/* A request that is no sample may prepare a statement. */
static __always_inline int pass_by(__u64 sk, __u32 by_task)
{
	return labels && by_task ? emit_prepared(sk, QUERY_WORDS) : 0;
}

/* What was sent before has arrived, something was answered since, and that is read: what is sent now is a request by itself. */
static __always_inline bool is_quiet(__u64 sk, const struct exchange *e)
{
	struct tcp_sock___bytes *tp = bytes_of(sk);
	__u32 next = BPF_CORE_READ(tp, rcv_nxt);

	return next != e->answer && next == BPF_CORE_READ(tp, copied_seq) &&
	       BPF_CORE_READ((struct tcp_sock *)sk, snd_una) == e->client_sent;
}

/* Something of the connection leaves: all that was written since the last time, at least in part. */
static __noinline int send_from_client(__u64 sk, __u32 by_task)
{
	struct exchange *e = exchange_of(sk);
	__u32 written, before;

	if (!e)
		return pass_by(sk, by_task);
	written = BPF_CORE_READ(bytes_of(sk), write_seq);
	if (!is_after(written, e->client_sent) || !sock_may_send((void *)sk))
		return 0;
	if (e->sample && BPF_CORE_READ(bytes_of(sk), rcv_nxt) == e->answer) { /* no answer yet */
		before = e->client_sent;
		e->client_sent = written;
		emit_client_send(sk, e, before, by_task);
		return 0;
	}
	if (e->sample)
		emit_query(QUERY_NEXT, sk, e->sample, 0, 0);
	if ((e->sample && !hit()) || !may_begin() || !sender_passes(by_task)) {
		close_exchange(sk, e->slot);
		return pass_by(sk, by_task);
	}
	if (is_quiet(sk, e)) {
		begin_at_client(sk, e, written, by_task);
		return 0;
	}
	e->sample = 0; /* the next one */
	e->client_sent = written;
	e->answer = BPF_CORE_READ(bytes_of(sk), rcv_nxt);
	return pass_by(sk, by_task);
}

/* The request, at the server's socket, if that is here, too. */
static __noinline int arrive_from_client(__u64 sk, __u64 skb)
{
	__u64 client = chosen_across(sk);
	struct exchange *e = client ? sampled_exchange(client) : NULL;
	__u32 hi = 0;

	if (!e || tcp_skb_read(&hi, skb, end_seq))
		return 0;
	hi -= fin_of(skb);
	if (!is_after(hi, e->arrived) || is_after(hi, e->client_sent))
		return 0;
	e->arrived = hi;
	emit_query(QUERY_MORE, client, e->sample, hi, 0);
	deliver_request(sk, client, e->sample);
	return 0;
}
