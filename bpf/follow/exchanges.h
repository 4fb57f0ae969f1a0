/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The exchanges that are followed: a request and its answer on one connection of a server, known by the server's socket and by
 * where the bytes of both begin. Who changes one holds its socket's lock, so that plain writes do.
 *
 * A request begins where the one before was answered. Of a connection that is chosen in the midst of something that is not known,
 * so it is armed, and its next request is the sample; one that has received nothing yet needs no such care.
 */
#pragma once

#include "core.h"
#include "task.h"
#include "tcp.h"

#include "connections.h"
#include "lib/core/emit.h"
#include "lib/net/sock.h"
#include "query.h"
#include "sample.h"

#define EXCHANGES 4096

struct exchange {
	__u64 sample; /* 0: armed */
	__u32 slot;
	__u32 answer; /* where the answer begins: what was written before is another one's */
	__u32 start;  /* where the request begins */
	__u32 read;   /* of it, all before */
	/* Of the answer, all before them. */
	__u32 sent, received, client_read, acked;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, EXCHANGES);
	__type(key, __u64);
	__type(value, struct exchange);
} exchanges SEC(".maps");

/* The server's sockets of those, by its ends: how the client's finds it. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2 * EXCHANGES);
	__type(key, struct sock_ends);
	__type(value, __u64);
} server_socks SEC(".maps");

static __always_inline struct exchange *exchange_of(__u64 sk)
{
	return bpf_map_lookup_elem(&exchanges, &sk);
}

/* The exchange on the socket, if it is one that is followed already. */
static __always_inline struct exchange *sampled_exchange(__u64 sk)
{
	struct exchange *e = exchange_of(sk);

	return e && e->sample ? e : NULL;
}

static __always_inline void fill_query(struct query_hop *h, __u32 kind, __u64 sk, __u64 sample)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	__builtin_memset(h, 0, sizeof(*h));
	h->ts_ns = bpf_ktime_get_ns();
	h->kind = kind;
	h->sock = sk;
	h->id = sample;
	h->cpu = bpf_get_smp_processor_id();
	h->tgid = pid_tgid >> 32;
	h->tid = pid_tgid;
	h->arrivals = BPF_CORE_READ(task, sched_info.pcount);
	bpf_get_current_comm(h->comm, sizeof(h->comm));
}

static __always_inline struct query_hop *new_query(__u32 kind, __u64 sk, __u64 sample)
{
	struct query_hop *h = emit_reserve(sizeof(*h));

	if (h)
		fill_query(h, kind, sk, sample);
	return h;
}

/* All before `hi`. */
static __always_inline void emit_query(__u32 kind, __u64 sk, __u64 sample, __u32 hi, __u32 flags)
{
	struct query_hop *h = new_query(kind, sk, sample);

	if (!h)
		return;
	h->hi = hi;
	h->flags = flags;
	emit_submit(h, sizeof(*h));
}

static __always_inline void emit_query_start(__u64 sk, const struct exchange *e, __u32 hi, const struct sock_ends *ends)
{
	struct query_start *s = emit_reserve(sizeof(*s));

	if (!s)
		return;
	fill_query(&s->hop, QUERY_ARRIVE, sk, e->sample);
	s->hop.lo = e->read;
	s->hop.hi = hi;
	s->ends = *ends;
	s->answer = e->answer;
	s->pad = 0;
	emit_submit(s, sizeof(*s));
}

/* A request whose bytes [lo, hi) have come is the sample; with lo == hi the connection is armed. */
static __noinline void open_exchange(__u64 sk, __u32 lo, __u32 hi)
{
	struct sock_ends ends = {};
	struct exchange e = {.start = lo, .read = lo};

	if (limit && n_sampled >= limit)
		return;
	sock_ends_fill(false, (void *)sk, &ends);
	e.slot = slot_of(ends.local_port, ends.remote_port);
	e.answer = e.sent = e.received = e.client_read = e.acked = BPF_CORE_READ(bytes_of(sk), write_seq);
	if (lo != hi)
		e.sample = next_sample();
	count_open(e.slot, 1);
	if (bpf_map_update_elem(&exchanges, &sk, &e, BPF_NOEXIST)) {
		count_open(e.slot, -1);
		count_loss(LOSS_EXCHANGES_FULL);
		return;
	}
	if (bpf_map_update_elem(&server_socks, &ends, &sk, BPF_ANY)) /* what the client does is not seen */
		count_loss(LOSS_EXCHANGES_FULL);
	if (e.sample)
		emit_query_start(sk, &e, hi, &ends);
}

static __always_inline void close_exchange(__u64 sk, __u32 slot)
{
	if (!bpf_map_delete_elem(&exchanges, &sk))
		count_open(slot, -1);
}
