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
#include "sched.h"
#include "skb.h"
#include "tcp.h"

#include "lib/core/emit.h"
#include "lib/net/server_ports.h"
#include "sample.h"
#include "segment.h"
#include "send.h"
#include "sends.h"
#include "streams.h"

struct woken {
	__u64 wake_ns, run_ns;
};

/* By thread. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct woken);
} woken_threads SEC(".maps");

#define WAKE_NS 100000 /* it takes TCP 1,000 to wake a reader */

/* By CPU: until when TCP, which takes a sampled segment, may wake its reader; 0 from the next packet or thread on. */
static __u64 arriving_until[1024];

static __always_inline __u64 *arriving_here(void)
{
	return &arriving_until[bpf_get_smp_processor_id() & 1023];
}

static __always_inline void end_arrival(void)
{
	*arriving_here() = 0;
}

/* Does anybody wait for it? Else who is woken next is woken by something else. */
static __always_inline bool sock_is_awaited(struct sock *sk)
{
	struct socket_wq *wq = BPF_CORE_READ(sk, sk_wq);

	return wq && (void *)BPF_CORE_READ(wq, wait.head.next) != (void *)&wq->wait.head;
}

static __always_inline __u32 sock_port(struct sock *sk)
{
	return BPF_CORE_READ(sk, __sk_common.skc_portpair) >> 16;
}

/* ---- at the device: dice, then what it is, and the ports that were asked for */

static __always_inline bool arrival_chosen(void)
{
	return sampling && (every || random_hit());
}

static __always_inline bool ports_pass(const struct sock_ends *ends)
{
	return !server_ports[0] || is_server_port(ends->local_port) || is_server_port(ends->remote_port);
}

static __always_inline void emit_arrival(__u64 id, __u64 stream, const struct segment *s, struct sk_buff *skb)
{
	struct send_start *start = emit_reserve(sizeof(*start));
	struct net_device *dev;

	if (!start)
		return;
	fill_send(&start->hop, RECV_ARRIVE, stream);
	start->hop.id = id;
	start->hop.lo = s->seq;
	start->hop.hi = s->seq + s->bytes;
	start->hop.flags = task_filtered ? RECV_FILTERED : 0;
	dev = BPF_CORE_READ(skb, dev);
	bpf_core_read(start->hop.dev, sizeof(start->hop.dev), &dev->name);
	start->ends = s->ends;
	emit_submit(start, sizeof(*start));
}

/* A stream that is followed already keeps its number, of which the lowest bit is STREAM_GONE in those of sends. */
static __noinline int begin_arrival(const struct segment *s, struct sk_buff *skb)
{
	__u64 *known = bpf_map_lookup_elem(&senders, &s->ends), id = next_sample();
	__u64 stream = known ? *known : id << 1;

	emit_arrival(id, stream, s, skb);
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

static __always_inline struct recv_hop *new_recv(__u32 kind, __u64 stream, __u32 lo, __u32 hi)
{
	struct recv_hop *r = emit_reserve(sizeof(*r));

	if (!r)
		return NULL;
	fill_send(&r->hop, kind, stream);
	r->hop.lo = lo;
	r->hop.hi = hi;
	r->wake_ns = r->run_ns = 0;
	r->next = r->pad = 0;
	return r;
}

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
	if (!is_after(lo, next) && sock_is_awaited((void *)sk))
		*arriving_here() = bpf_ktime_get_ns() + WAKE_NS;
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

static __always_inline void emit_read(__u64 stream, __u32 lo, __u32 hi)
{
	__u32 tid = current_tid();
	struct woken *w = bpf_map_lookup_elem(&woken_threads, &tid);
	struct recv_hop *r = new_recv(RECV_READ, stream, lo, hi);

	if (!r)
		return;
	if (w) {
		r->wake_ns = w->wake_ns;
		r->run_ns = w->run_ns;
	}
	r->hop.flags = filter_passes() ? 0 : RECV_OTHERS;
	emit_submit(r, sizeof(*r));
}

/* The thread that works on the socket closes it; a timer, or a packet of whoever is current, may do so, too. */
static __always_inline bool closer_passes(__u64 sk)
{
	return BPF_CORE_READ((struct sock *)sk, sk_lock.owned) && filter_passes();
}

static __noinline int wake_reader(__u32 tid)
{
	__u64 until = *arriving_here();
	struct woken w = {};

	if (!until)
		return 0;
	w.wake_ns = bpf_ktime_get_ns();
	if (w.wake_ns > until)
		return 0;
	bpf_map_update_elem(&woken_threads, &tid, &w, BPF_ANY);
	return 0;
}

/* One that was woken before it slept has not waited for a CPU; the next sleep is another matter. */
static __noinline int leave_cpu(__u32 tid)
{
	struct woken *w = bpf_map_lookup_elem(&woken_threads, &tid);

	if (w && !w->run_ns)
		bpf_map_delete_elem(&woken_threads, &tid);
	return 0;
}

static __noinline int take_cpu(__u32 tid)
{
	struct woken *w = bpf_map_lookup_elem(&woken_threads, &tid);

	end_arrival();
	if (w && !w->run_ns)
		w->run_ns = bpf_ktime_get_ns();
	return 0;
}
