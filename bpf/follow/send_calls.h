/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The sampled calls that send, by TCP or UDP: which thread is in one, and the records of it. */
#pragma once

#include "core.h"
#include "net.h"
#include "skb.h"

#include "connections.h"
#include "lib/core/emit.h"
#include "lib/net/sock.h"
#include "sample.h"
#include "send.h"

#define STREAM_GONE 1ULL /* in the key of a stream, an address: the socket has ended, and the reader has not read all */

struct send {
	__u64 sample;
	__u64 sock;
	__u32 lo;
	__u32 nr;   /* of the system call; 0 by functions */
	__u32 left; /* of UDP: bytes of the datagram that no packet was seen with; ALL_LEFT: not the first either */
	__u32 pad;
};

/* By thread; deleted when the call returns. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct send);
} sends_active SEC(".maps");

static __u32 n_calls;

volatile __u64 n_ended; /* samples that user space waits for no longer */

/* User space has the last word: what is followed stays so for ever if the program at its end was skipped. */
static __always_inline bool in_flight(void)
{
	return n_open && n_sampled != n_ended;
}

static __always_inline void fill_send(struct send_hop *h, __u32 kind, __u64 sk)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	__builtin_memset(h, 0, sizeof(*h));
	h->ts_ns = bpf_ktime_get_ns();
	h->kind = kind;
	h->sock = sk & ~STREAM_GONE;
	h->flags = sk & STREAM_GONE ? SEND_GONE : 0;
	h->cpu = bpf_get_smp_processor_id();
	h->tgid = pid_tgid >> 32;
	h->tid = pid_tgid;
	bpf_get_current_comm(h->comm, sizeof(h->comm));
}

static __always_inline struct send_hop *new_send(__u32 kind, __u64 sk)
{
	struct send_hop *h = emit_reserve(sizeof(*h));

	if (h)
		fill_send(h, kind, sk);
	return h;
}

/* The caller fills its ends. */
static __always_inline struct send_start *new_start(__u32 kind, __u64 key)
{
	struct send_start *s = emit_reserve(sizeof(*s));

	if (s)
		fill_send(&s->hop, kind, key);
	return s;
}

static __always_inline void fill_device(struct send_hop *h, struct sk_buff *skb)
{
	struct net_device *dev = BPF_CORE_READ(skb, dev);

	bpf_core_read(h->dev, sizeof(h->dev), &dev->name);
}

static __always_inline void emit_send_start(const struct send *c)
{
	struct send_start *s = new_start(SEND_ENTER, c->sock);

	if (!s)
		return;
	s->hop.id = c->sample;
	s->hop.lo = s->hop.hi = c->lo;
	s->hop.call = c->nr;
	__builtin_memset(&s->ends, 0, sizeof(s->ends));
	sock_ends_fill(false, (void *)c->sock, &s->ends);
	emit_submit(s, sizeof(*s));
}

/* One more call is a sample; false: it is not. With a random choice the caller has already found that this one is hit. */
static __always_inline bool enter_send(struct send *c)
{
	__u32 tid = current_tid();

	if (every && !every_hit())
		return false;
	if (limit && n_sampled >= limit)
		return false;
	c->sample = next_sample();
	if (bpf_map_update_elem(&sends_active, &tid, c, BPF_NOEXIST)) {
		count_loss(LOSS_SENDS_FULL);
		return false;
	}
	__sync_fetch_and_add(&n_calls, 1);
	emit_send_start(c);
	return true;
}

/* Moves the sampled call of this thread to *c; false if there is none. */
static __always_inline bool leave_send(struct send *c)
{
	__u32 tid = current_tid();
	struct send *active = bpf_map_lookup_elem(&sends_active, &tid);

	if (!active)
		return false;
	*c = *active;
	if (bpf_map_delete_elem(&sends_active, &tid))
		return false;
	__sync_fetch_and_add(&n_calls, -1);
	return true;
}

static __always_inline void emit_send(__u32 kind, const struct send *c, __u32 hi, __s64 result, __u32 flags,
				      __u32 limited)
{
	struct send_hop *h = new_send(kind, c->sock);

	if (!h)
		return;
	h->id = c->sample;
	h->lo = c->lo;
	h->hi = hi;
	h->result = result;
	h->flags = flags;
	h->limit = limited;
	emit_submit(h, sizeof(*h));
}

/* Bytes [lo, hi) of a stream or datagram; skb: of a packet, whose device is told, or 0. */
static __always_inline struct send_hop *new_part(__u32 kind, __u64 key, __u32 lo, __u32 hi, __u64 skb)
{
	struct send_hop *h = new_send(kind, key);

	if (!h)
		return NULL;
	h->lo = lo;
	h->hi = hi;
	if (skb)
		fill_device(h, (void *)skb);
	return h;
}
