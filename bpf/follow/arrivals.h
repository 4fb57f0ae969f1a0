/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What follow recv has of its own: a segment that is sampled where a device has received it, what TCP does with it, and how
 * its reader comes to a CPU. All else is the receiving half of a send.
 *
 * Who the reader will be is not known before it reads: so whoever is woken while TCP takes a sampled segment is remembered, and
 * of these the one that reads was. Until then the filters can say nothing, and user space leaves out what others have read.
 */
#pragma once

#include "core.h"
#include "skb.h"
#include "tcp.h"

#include "lib/core/emit.h"
#include "readers.h"
#include "sample.h"
#include "segment.h"
#include "send_calls.h"
#include "streams.h"

/* ---- at the device */

/* A stream that is followed already keeps its number, of which the lowest bit is STREAM_GONE in those of sends. */
static __noinline int begin_arrival(const struct segment *s, struct sk_buff *skb)
{
	__u64 *known = bpf_map_lookup_elem(&senders, &s->ends), id = next_sample();
	__u64 stream = known ? *known : id << 1;

	emit_arrival(id, stream, s, skb, 0);
	return add_to_stream(stream, s->seq, s->seq + s->bytes, &s->ends);
}

/* 1: the packet is a sample. */
static __always_inline int arrive(const bool typed, struct sk_buff *skb)
{
	__u32 at = LOAD(skb, data) - LOAD(skb, head);
	struct segment s = {};

	if (!segment_parse(typed, skb, at, &s) || !ports_pass(&s.ends) || (every && !every_hit()))
		return 0;
	begin_arrival(&s, (void *)skb);
	return 1;
}

/* As pass_typed() and pass_raw() of follow_send.bpf.c. */
static __noinline int arrive_typed(struct sk_buff *skb)
{
	return arrive(true, skb);
}

static __noinline int arrive_raw(struct sk_buff *skb)
{
	return arrive(false, skb);
}

/* ---- TCP */

static __always_inline void settle_duplicate(__u64 stream, struct stream *s, __u32 copied)
{
	if (is_after(s->hi, copied) || !is_after(copied, s->read))
		return;
	s->read = copied;
	settle_stream(stream, s);
}

/*
 * A segment for an established socket, in order or not; also one that is not of a sample and fills a hole before it. Whom the CPU
 * wakes next, it wakes for that.
 */
__noinline int take_segment(__u64 sk, __u64 skb)
{
	__u64 stream = sender_to(sk);
	struct stream *s = stream ? stream_of(stream) : NULL;
	__u32 lo = 0, hi = 0, next;
	struct recv_hop *r;
	bool sampled;

	if (!s || tcp_skb_read(&lo, skb, seq) || tcp_skb_read(&hi, skb, end_seq))
		return 0;
	next = BPF_CORE_READ(bytes_of(sk), rcv_nxt);
	sampled = touches(s, lo, hi);
	if (!sampled && (!is_after(s->hole, next) || is_after(lo, next) || !is_after(hi, next)))
		return 0;
	if (sampled && is_after(lo, next) && is_after(lo, s->hole))
		s->hole = lo;
	if (sampled && !is_after(hi, next)) /* it came before: nobody may read it any more */
		settle_duplicate(stream, s, BPF_CORE_READ(bytes_of(sk), copied_seq));
	if (!is_after(lo, next))
		expect_reader(sk, 0, 0);
	r = new_recv(RECV_TCP, stream, lo, hi);
	if (!r)
		return 0;
	r->next = next;
	/* An interrupt does not touch a socket that a thread works on: this is the thread, at its end. */
	r->hop.flags = BPF_CORE_READ((struct sock *)sk, sk_lock.owned) ? RECV_BACKLOG : 0;
	emit_submit(r, sizeof(*r));
	return 0;
}

/* ---- the reader */

/* The thread that works on the socket closes it; a timer, or a packet of whoever is current, may do so, too. */
static __always_inline bool closer_passes(__u64 sk)
{
	return BPF_CORE_READ((struct sock *)sk, sk_lock.owned) && filter_passes();
}
