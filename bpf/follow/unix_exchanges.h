/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The exchanges on a unix socket, a stream whose server listens at --path. It has no sequence numbers: what is told of counts from the
 * beginning of each sample, which is when nothing lies unread at either end. What is sent is at the other end at once.
 *
 * A connection is chosen when it begins, or by what arrives at its server; the next request is the sample. Its end is seen when one
 * end has read that the other one has closed it, or when another connection has its place.
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

#define MSG_PEEK 2
#define UNIX_SLOT 0

static __always_inline bool is_server_at_path(__u64 sk)
{
	struct dentry *dentry = BPF_CORE_READ((struct unix_sock *)sk, path.dentry);

	return dentry && is_root_inode((__u64)dentry) && BPF_CORE_READ((struct sock *)sk, sk_type) == SOCK_STREAM;
}

static __always_inline __u64 unix_peer(__u64 sk)
{
	return (__u64)BPF_CORE_READ((struct unix_sock *)sk, peer);
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

static __always_inline void emit_unix_start(__u64 sk, const struct exchange *e)
{
	struct unix_address *address = BPF_CORE_READ((struct unix_sock *)sk, addr);
	struct query_start *s = emit_reserve(sizeof(*s));

	if (!s)
		return;
	fill_query(&s->hop, QUERY_CLIENT_SEND, sk, e->sample);
	s->hop.hi = e->arrived;
	__builtin_memset(&s->ends, 0, sizeof(s->ends));
	__builtin_memset(s->path, 0, sizeof(s->path));
	s->answer = 0;
	if (address)
		bpf_probe_read_kernel_str(s->path, sizeof(s->path), &address->name[0].sun_path);
	emit_submit(s, sizeof(*s));
}

/* `begins`: nothing was sent on it yet, so that its first request is known from the beginning. */
static __noinline void arm_unix(__u64 sk, bool begins)
{
	struct exchange e = {.slot = UNIX_SLOT, .sent = begins};

	if (!may_begin() || !is_server_at_path(sk))
		return;
	count_open(e.slot, 1);
	if (!bpf_map_update_elem(&exchanges, &sk, &e, BPF_NOEXIST))
		return;
	count_open(e.slot, -1);
	count_loss(LOSS_EXCHANGES_FULL);
}

static __always_inline void close_unix(__u64 sk, const struct exchange *e)
{
	if (e->sample)
		emit_query(QUERY_CLOSE, sk, e->sample, 0, 0);
	close_exchange(sk, UNIX_SLOT);
}

/* At the server of a connection that is followed: what its client sends. */
static __noinline int unix_request(__u64 sk, struct exchange *e)
{
	__u64 client = unix_peer(sk);
	struct exchange fresh = {};
	bool unread;

	if (e->sent == e->answer) { /* no answer yet */
		e->arrived += bytes_sent_to(sk);
		if (e->sample)
			emit_query(QUERY_MORE, sk, e->sample, e->arrived, 0);
		return 0;
	}
	if (e->sample)
		emit_query(QUERY_NEXT, sk, e->sample, 0, 0);
	if ((e->sample && !hit()) || !may_begin()) {
		close_exchange(sk, UNIX_SLOT);
		return 0;
	}
	unread = first_unread(sk) != last_unread(sk) || (client && first_unread(client));
	fresh.arrived = bytes_sent_to(sk);
	if (!unread)
		fresh.sample = next_sample();
	*e = fresh;
	if (unread) /* not from its beginning: the next one */
		return 0;
	await_answer(current_tid(), sk, e->sample);
	emit_unix_start(sk, e);
	return 0;
}

/* At its client: what the server sends. */
static __noinline int unix_answer(__u64 server, struct exchange *e, __u64 client)
{
	e->sent += bytes_sent_to(client);
	if (e->sample)
		emit_query(QUERY_SEND, server, e->sample, e->sent, QUERY_BY_TASK);
	else
		serve_other(server);
	return 0;
}

/* A connection begins, which nobody has accepted: its server's end lies in the queue of the listener. */
static __noinline int unix_connection(__u64 listener)
{
	struct sk_buff *last = (void *)last_unread(listener);
	__u64 sk = last ? (__u64)BPF_CORE_READ(last, sk) : 0;
	struct exchange *e = sk ? exchange_of(sk) : NULL;

	if (e)
		close_unix(sk, e);
	if (sk && hit())
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
	if (n_open) {
		e = exchange_of(sk);
		if (e)
			return unix_request(sk, e);
		e = peer ? exchange_of(peer) : NULL;
		if (e)
			return unix_answer(peer, e, sk);
		if (peer && is_serving(current_tid()) && is_server_at_path(peer))
			serve_other(peer);
	}
	if (hit())
		arm_unix(sk, false);
	return 0;
}

/* ---- reads, of either end, at the end of each call */

static __noinline int unix_read_request(__u64 sk, struct exchange *e, __u32 n)
{
	__u32 before = e->read;

	if (!e->sample) {
		if (labels)
			emit_prepared(sk, 0);
		serve_other(sk);
		return 0;
	}
	e->read += n;
	serve(current_tid(), sk, e->sample);
	if (!labels || !emit_request_words(QUERY_READ, sk, e, before, before + n))
		emit_query(QUERY_READ, sk, e->sample, before + n, 0);
	return 0;
}

static __noinline int unix_read(__u64 sk, int n, int flags)
{
	__u64 server = sk;
	struct exchange *e = exchange_of(sk);

	if (n < 0 || flags & MSG_PEEK)
		return 0;
	if (!e) {
		server = unix_peer(sk);
		e = server ? exchange_of(server) : NULL;
	}
	if (!e) {
		if ((labels || is_serving(current_tid())) && n && is_server_at_path(sk)) {
			if (labels)
				emit_prepared(sk, 0);
			serve_other(sk);
		}
		return 0;
	}
	if (!n) {
		if (BPF_CORE_READ((struct sock *)sk, sk_shutdown) & RCV_SHUTDOWN)
			close_unix(server, e);
		return 0;
	}
	if (server == sk)
		return unix_read_request(sk, e, n);
	if (!e->sample)
		return 0;
	e->client_read += n;
	emit_query(QUERY_CLIENT_READ, server, e->sample, e->client_read, 0);
	return 0;
}
