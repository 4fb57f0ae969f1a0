/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The exchanges on a unix socket, a stream whose server listens at --path. It has no sequence numbers: what is told of counts from the
 * beginning of each sample, which is when nothing lies unread at either end. What is sent is at the other end at once, and may be read
 * there, by a thread that is awake, before sk_data_ready tells of it: then the read does, and who has sent it is told afterwards.
 *
 * A connection is chosen when it begins, or by what arrives at its server; the next request is the sample. Its end is seen where
 * functions may be traced; else when one end has read that the other one has closed it, or another connection has its place.
 */
#pragma once

#include "core.h"
#include "skb.h"
#include "unix.h"

#include "clients.h"
#include "exchanges.h"
#include "root.h"
#include "sample.h"
#include "servers.h"
#include "words.h"

#define ECONNRESET 104

#define UNIX_REQUEST 1
#define UNIX_ANSWER 2
#define ARRIVED_UNKNOWN (~0U) /* more than was read */

static __always_inline __u32 unix_slot(__u64 sk)
{
	return sk >> 6 & (SLOTS - 1);
}

/* The listener, or the server's end of a connection. */
static __always_inline bool is_at_path(__u64 sk)
{
	struct dentry *dentry = BPF_CORE_READ((struct unix_sock *)sk, path.dentry);

	return dentry && is_root_inode((__u64)dentry) && BPF_CORE_READ((struct sock *)sk, sk_type) == SOCK_STREAM;
}

static __always_inline __u64 unix_peer(__u64 sk)
{
	return (__u64)BPF_CORE_READ((struct unix_sock *)sk, peer);
}

/* It was accepted, or listens: a client has none. */
static __always_inline bool has_name(__u64 sk)
{
	return BPF_CORE_READ((struct unix_sock *)sk, addr);
}

/* The last of what lies unread; 0: nothing does, as its reader was quick. */
static __always_inline __u64 last_unread(__u64 sk)
{
	__u64 last = (__u64)BPF_CORE_READ((struct sock *)sk, sk_receive_queue.prev);

	return last == sk + bpf_core_field_offset(struct sock, sk_receive_queue) ? 0 : last;
}

static __always_inline __u64 first_unread(__u64 sk)
{
	__u64 first = (__u64)BPF_CORE_READ((struct sock *)sk, sk_receive_queue.next);

	return first == sk + bpf_core_field_offset(struct sock, sk_receive_queue) ? 0 : first;
}

/* Bytes that were sent just now; at least one, also if they have been read already. */
static __always_inline __u32 bytes_sent_to(__u64 sk)
{
	struct sk_buff *last = (void *)last_unread(sk);
	__u32 n = last ? BPF_CORE_READ(last, len) : 0;

	return n ? n : 1;
}

/* The current thread has sent it; of an early one nobody knows who, but for the process. */
static __always_inline void emit_unix_start(__u64 sk, const struct exchange *e)
{
	struct unix_address *address = BPF_CORE_READ((struct unix_sock *)sk, addr);
	struct query_start *s = emit_reserve(sizeof(*s));

	if (!s)
		return;
	fill_query(&s->hop, QUERY_CLIENT_SEND, sk, e->sample);
	s->hop.hi = e->arrived;
	if (e->early) {
		s->hop.tgid = unix_client(sk);
		s->hop.tid = 0;
		__builtin_memset(s->hop.comm, 0, sizeof(s->hop.comm));
	}
	__builtin_memset(&s->ends, 0, sizeof(s->ends));
	__builtin_memset(s->path, 0, sizeof(s->path));
	s->answer = 0;
	if (address)
		bpf_probe_read_kernel_str(s->path, sizeof(s->path), &address->name[0].sun_path);
	emit_submit(s, sizeof(*s));
}

/* `begins`: nothing was sent on it yet, so that its first request is known from the beginning, as after an answer. */
static __noinline void arm_unix(__u64 sk, bool begins)
{
	struct exchange e = {.slot = unix_slot(sk), .sent = begins, .peer = unix_peer(sk)};

	if (!may_begin() || !is_at_path(sk))
		return;
	e.arrived = begins ? 0 : ARRIVED_UNKNOWN;
	insert_exchange(sk, &e);
}

/* That of the two ends; one of another connection, whose server's end had the same address, is over. Clients have no name. */
static __noinline struct exchange *unix_exchange(__u64 server, __u64 client)
{
	struct exchange *e = open_at[unix_slot(server)] ? exchange_of(server) : NULL;

	if (!e || (e->peer == client && has_name(server)))
		return e;
	end_exchange(server, e->sample, e->slot, 0);
	return NULL;
}

/* After an answer: `n` bytes of the next request. False if that is not followed. */
static __noinline bool begin_unix(__u64 sk, struct exchange *e, __u32 n, __u32 early)
{
	struct exchange fresh = {.slot = e->slot, .peer = e->peer, .arrived = n, .early = early};

	if (e->sample)
		emit_query(QUERY_NEXT, sk, e->sample, 0, 0);
	if ((e->sample && !hit()) || !may_begin()) {
		close_exchange(sk, fresh.slot);
		return false;
	}
	fresh.sample = next_sample();
	*e = fresh;
	emit_unix_start(sk, e);
	return true;
}

/* At the server of a connection that is followed: what its client sends. */
static __noinline int unix_request(__u64 sk, struct exchange *e)
{
	__u32 n = bytes_sent_to(sk);

	if (e->early & UNIX_REQUEST) {
		e->early &= ~UNIX_REQUEST;
		await_answer(current_tid(), sk, e->sample);
		emit_query(QUERY_CLIENT_MORE, sk, e->sample, e->arrived, 0);
		return 0;
	}
	if (e->sent == e->answer) { /* no answer yet */
		if (!e->sample)
			return 0;
		e->arrived += n;
		emit_query(QUERY_MORE, sk, e->sample, e->arrived, 0);
		deliver_request(sk, sk, e->sample);
		return 0;
	}
	if (first_unread(sk) != last_unread(sk) || (e->peer && first_unread(e->peer))) { /* not from its beginning: the next one */
		if (e->sample)
			emit_query(QUERY_NEXT, sk, e->sample, 0, 0);
		e->sample = 0;
		e->arrived = ARRIVED_UNKNOWN;
		e->sent = e->answer;
		return 0;
	}
	if (!begin_unix(sk, e, n, 0))
		return 0;
	await_answer(current_tid(), sk, e->sample);
	deliver_request(sk, sk, e->sample);
	return 0;
}

/* At its client: what the server sends. */
static __noinline int unix_answer(__u64 server, struct exchange *e, __u64 client)
{
	if (e->early & UNIX_ANSWER)
		e->early &= ~UNIX_ANSWER;
	else
		e->sent += bytes_sent_to(client);
	e->answered_ns = bpf_ktime_get_ns();
	if (e->sample)
		emit_query(QUERY_SEND, server, e->sample, e->sent, QUERY_BY_TASK);
	else
		serve_other(server);
	return 0;
}

/* Each N-th is that of the server; a random one need not be its. */
static __always_inline bool unix_hit(__u64 sk)
{
	return (!every || is_at_path(sk)) && hit();
}

/* Whatever was followed at this address is over. */
static __always_inline void forget_unix(__u64 sk)
{
	struct exchange *e = sk ? exchange_of(sk) : NULL;

	if (e)
		end_exchange(sk, e->sample, e->slot, 0);
}

/* A connection begins, which nobody has accepted: its server's end lies in the queue of the listener. */
static __noinline int unix_connection(__u64 listener)
{
	struct sk_buff *last = (void *)last_unread(listener);
	__u64 sk = last ? (__u64)BPF_CORE_READ(last, sk) : 0;

	if (n_open && sk) {
		forget_unix(sk);
		forget_unix(unix_peer(sk));
	}
	if (sk && unix_hit(listener))
		arm_unix(sk, true);
	return 0;
}

/* The current thread has sent something to this socket. */
static __noinline int unix_ready(__u64 sk)
{
	__u64 peer = unix_peer(sk);
	struct exchange *e;

	if (BPF_CORE_READ((struct sock *)sk, __sk_common.skc_state) == BPF_TCP_LISTEN)
		return unix_connection(sk);
	if (peer)
		pass_answer(peer);
	if (n_open) {
		end_arrival();
		e = unix_exchange(sk, peer);
		if (e)
			return unix_request(sk, e);
		e = peer ? unix_exchange(peer, sk) : NULL;
		if (e)
			return unix_answer(peer, e, sk);
		if (peer && is_serving(current_tid()) && has_name(peer))
			serve_other(peer);
	}
	if (unix_hit(sk))
		arm_unix(sk, false);
	return 0;
}

/* ---- reads, of either end, at the end of each call */

/* Of a connection that is not followed. */
static __always_inline int pass_by_unix(__u64 sk, __u32 n)
{
	if (n && labels && is_at_path(sk))
		emit_prepared(sk, n);
	if (n && is_serving(current_tid()) && has_name(sk))
		serve_other(sk);
	return 0;
}

static __noinline int unix_read_request(__u64 sk, struct exchange *e, __u32 n)
{
	__u32 before;

	/* More than has arrived, after an answer. */
	if (e->sent != e->answer && e->read >= e->arrived && !begin_unix(sk, e, n, UNIX_REQUEST))
		return pass_by_unix(sk, n);
	if (!e->sample) {
		if (labels)
			emit_prepared(sk, n);
		serve_other(sk);
		return 0;
	}
	before = e->read;
	e->read += n;
	serve(current_tid(), sk, e->sample);
	if (!labels || !emit_request_words(QUERY_READ, sk, e, before, before + n))
		emit_query(QUERY_READ, sk, e->sample, before + n, 0);
	return 0;
}

/* The other end has closed it, and not only its own half. */
static __always_inline bool is_closed(__u64 sk)
{
	return (BPF_CORE_READ((struct sock *)sk, sk_shutdown) & SHUTDOWN_MASK) == SHUTDOWN_MASK;
}

static __noinline int unix_read(__u64 sk, int n, int flags)
{
	__u64 peer = unix_peer(sk), server = sk;
	struct exchange *e = unix_exchange(sk, peer);

	if (flags & MSG_PEEK || (n < 0 && n != -ECONNRESET))
		return 0;
	if (!e) {
		server = peer;
		e = peer ? unix_exchange(peer, sk) : NULL;
	}
	if (!e)
		return n < 0 ? 0 : pass_by_unix(sk, n);
	if (n <= 0) {
		if (n || is_closed(sk))
			end_exchange(server, e->sample, e->slot, -n);
		return 0;
	}
	if (server == sk)
		return unix_read_request(sk, e, n);
	if (!e->sample)
		return 0;
	e->client_read += n;
	if (is_after(e->client_read, e->sent)) {
		e->sent = e->client_read;
		e->early |= UNIX_ANSWER;
	}
	emit_query(QUERY_CLIENT_READ, server, e->sample, e->client_read, 0);
	return 0;
}

/* An end is closed: the server's, or the client's, of which the other one may still have something to read. */
static __noinline int unix_end(__u64 sk)
{
	struct exchange *e = sk ? unix_exchange(sk, unix_peer(sk)) : NULL;

	if (e)
		end_exchange(sk, e->sample, e->slot, 0);
	return 0;
}
