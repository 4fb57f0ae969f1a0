/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The exchanges that are followed: a request and its answer on one connection of a server, known by the socket of the end at which it
 * was chosen, and by where the bytes of both begin. Who begins or ends one holds that socket's lock, and who changes what is seen at the
 * other end that one's, so that plain writes do; of a unix socket nobody holds one. A write may meet the next exchange of the connection,
 * which then lacks a hop, or that of another one which has its place in the table, if that happens within the program.
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

const volatile bool from_client; /* connections are chosen at the client's socket, by the filters of who asks; else at the server's */

struct sender { /* whoever sent the request; all 0 if that is not known */
	__u32 tgid, tid, cpu;
	char comm[16];
};

struct connection {
	struct sock_ends ends;
	__u64 netns; /* the number of the namespace whose loopback addresses they are; else 0: other addresses are taken for the machine's */
};

struct exchange {
	__u64 sample; /* 0: armed */
	__u32 slot;
	__u32 answer; /* where the answer begins: what was written before is another one's */
	__u32 start;  /* where the request begins */
	/* Of the request, all before them; those of the other end are not seen where it is on another machine. */
	__u32 client_sent, arrived, read;
	/* Of the answer, all before them. */
	__u32 sent, received, client_read, acked;
	/* Chosen at the server: when and by whom that was sent which begins at client_sent_from; client_sent_ns is 0 if it was not seen. */
	union {
		__u32 client_sent_from;
		__u32 early; /* of a unix socket: what was read before it was told that it is there: UNIX_REQUEST, UNIX_ANSWER */
	};
	struct sender sender;
	__u64 answered_ns; /* when something of the answer was last given to the device */
	union {
		__u64 client_sent_ns;
		__u64 peer; /* of a unix socket: the client's */
	};
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, EXCHANGES);
	__type(key, __u64);
	__type(value, struct exchange);
} exchanges SEC(".maps");

/* The chosen sockets of those of TCP, by their connections as they see them: how the other end finds it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, EXCHANGES);
	__type(key, struct connection);
	__type(value, __u64);
} chosen_socks SEC(".maps");

/* And the other way round, as a socket that has ended may have lost its ends. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, EXCHANGES);
	__type(key, __u64);
	__type(value, struct connection);
} connections SEC(".maps");

static __always_inline bool is_loopback(const struct sock_ends *ends)
{
	__u64 lo = ends->local_lo;

	return !ends->local_hi && (lo == 1 || lo >> 24 == (IPV4_IN_IPV6 >> 24 | 127));
}

static __always_inline void connection_fill(__u64 sk, bool across, struct connection *c)
{
	__builtin_memset(c, 0, sizeof(*c));
	if (across)
		peer_ends(sk, &c->ends);
	else
		sock_ends_fill(false, (void *)sk, &c->ends);
	if (is_loopback(&c->ends))
		c->netns = BPF_CORE_READ((struct sock *)sk, __sk_common.skc_net.net, ns.inum);
}

#define QUIET_NS 300000000ULL /* user space takes 0.2 s */

/* The other end has all of it, and nothing more has come since: its threads have gone on to other things, until the next request. */
static __always_inline bool is_answered(const struct exchange *e)
{
	return e->answered_ns && (e->client_read == e->sent || e->acked == e->sent) && bpf_ktime_get_ns() > e->answered_ns + QUIET_NS;
}

static __always_inline struct exchange *exchange_of(__u64 sk)
{
	return bpf_map_lookup_elem(&exchanges, &sk);
}

/* The chosen socket of the connection, whose other end this is; 0: there is none. */
static __always_inline __u64 chosen_across(__u64 sk)
{
	struct connection c;
	__u64 *chosen;

	connection_fill(sk, true, &c);
	chosen = bpf_map_lookup_elem(&chosen_socks, &c);
	return chosen ? *chosen : 0;
}

/* The same of either end. */
static __always_inline __u64 chosen_by_server(__u64 sk)
{
	return from_client ? chosen_across(sk) : sk;
}

static __always_inline __u64 chosen_by_client(__u64 sk)
{
	return from_client ? sk : chosen_across(sk);
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

static __always_inline void fill_sender(struct sender *sender)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	sender->tgid = pid_tgid >> 32;
	sender->tid = pid_tgid;
	sender->cpu = bpf_get_smp_processor_id();
	bpf_get_current_comm(sender->comm, sizeof(sender->comm));
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

/* The sample begins with its request's bytes [start, hi): where they arrive, or, if `sender` says so, where they were sent. */
static __always_inline void emit_query_start(__u64 sk, const struct exchange *e, __u32 hi, const struct sock_ends *ends,
					     const struct sender *sender)
{
	struct query_start *s = emit_reserve(sizeof(*s));

	if (!s)
		return;
	fill_query(&s->hop, sender ? QUERY_CLIENT_SEND : QUERY_ARRIVE, sk, e->sample);
	if (sender) {
		if (e->client_sent_ns)
			s->hop.ts_ns = e->client_sent_ns;
		s->hop.tgid = sender->tgid;
		s->hop.tid = sender->tid;
		s->hop.cpu = sender->cpu;
		__builtin_memcpy(s->hop.comm, sender->comm, sizeof(s->hop.comm));
		s->hop.flags = from_client ? QUERY_FROM_CLIENT : 0;
	}
	s->hop.lo = e->start;
	s->hop.hi = hi;
	s->ends = *ends;
	s->answer = e->answer;
	__builtin_memset(s->path, 0, sizeof(s->path));
	emit_submit(s, sizeof(*s));
}

/* False: there is no room for it, or another thread has just done so. */
static __always_inline bool insert_exchange(__u64 sk, const struct exchange *e)
{
	long error;

	count_open(e->slot, 1);
	error = bpf_map_update_elem(&exchanges, &sk, e, BPF_NOEXIST);
	if (!error)
		return true;
	count_open(e->slot, -1);
	if (error != -EEXIST)
		count_loss(LOSS_EXCHANGES_FULL);
	return false;
}

/* The same of a TCP socket, which the other end is to find. */
static __always_inline bool add_exchange(__u64 sk, const struct exchange *e, const struct connection *c)
{
	if (!insert_exchange(sk, e))
		return false;
	if (bpf_map_update_elem(&connections, &sk, c, BPF_ANY) || bpf_map_update_elem(&chosen_socks, c, &sk, BPF_ANY))
		count_loss(LOSS_EXCHANGES_FULL); /* what the other end does is not seen */
	return true;
}

static __always_inline bool may_begin(void)
{
	return !limit || n_sampled < limit;
}

static __noinline void close_exchange(__u64 sk, __u32 slot)
{
	struct connection *c;
	__u64 *chosen;

	if (bpf_map_delete_elem(&exchanges, &sk))
		return;
	count_open(slot, -1);
	c = bpf_map_lookup_elem(&connections, &sk);
	if (!c)
		return;
	chosen = bpf_map_lookup_elem(&chosen_socks, c);
	if (chosen && *chosen == sk)
		bpf_map_delete_elem(&chosen_socks, c);
	bpf_map_delete_elem(&connections, &sk);
}

/* It is over, and so is its sample, if it has one. */
static __noinline void end_exchange(__u64 sk, __u64 sample, __u32 slot, __u32 error)
{
	struct query_hop *h = sample ? new_query(QUERY_CLOSE, sk, sample) : NULL;

	if (h) {
		h->result = error;
		emit_submit(h, sizeof(*h));
	}
	close_exchange(sk, slot);
}
