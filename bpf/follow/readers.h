/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What arrives for a reader, by TCP or UDP: which packets become samples, whom this CPU wakes while it delivers one, when that
 * has a CPU, and that it reads.
 */
#pragma once

#include "core.h"
#include "net.h"
#include "sched.h"
#include "skb.h"

#include "arriving.h"
#include "lib/core/filter.h"
#include "lib/net/server_ports.h"
#include "sample.h"
#include "segment.h"
#include "send_calls.h"

/* ---- at the device: dice, then what it is, and the ports that were asked for */

static __always_inline bool arrival_chosen(void)
{
	return sampling && (every || random_hit());
}

static __always_inline bool ports_pass(const struct sock_ends *ends)
{
	return !server_ports[0] || is_server_port(ends->local_port) || is_server_port(ends->remote_port);
}

static __always_inline void emit_arrival(__u64 id, __u64 key, const struct segment *s, struct sk_buff *skb, __u32 flags)
{
	struct send_start *start = new_start(RECV_ARRIVE, key);

	if (!start)
		return;
	start->hop.id = id;
	start->hop.lo = s->seq;
	start->hop.hi = s->seq + s->bytes;
	start->hop.flags = flags | (task_filtered ? RECV_FILTERED : 0);
	fill_device(&start->hop, skb);
	start->ends = s->ends;
	emit_submit(start, sizeof(*start));
}

/* ---- the reader */

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

static __noinline int wake_reader(__u32 tid)
{
	struct woken w = {};

	if (!is_arriving())
		return 0;
	w.wake_ns = bpf_ktime_get_ns();
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

static __always_inline struct recv_hop *new_recv(__u32 kind, __u64 key, __u32 lo, __u32 hi)
{
	struct recv_hop *r = emit_reserve(sizeof(*r));

	if (!r)
		return NULL;
	fill_send(&r->hop, kind, key);
	r->hop.lo = lo;
	r->hop.hi = hi;
	r->wake_ns = r->run_ns = 0;
	r->next = r->pad = 0;
	return r;
}

static __always_inline void emit_reader(struct recv_hop *r, __u64 id, __u32 tid)
{
	struct woken *w = bpf_map_lookup_elem(&woken_threads, &tid);

	r->hop.id = id;
	if (w) {
		r->wake_ns = w->wake_ns;
		r->run_ns = w->run_ns;
	}
	emit_submit(r, sizeof(*r));
}

static __always_inline void emit_read(__u64 key, __u64 id, __u32 lo, __u32 hi)
{
	struct recv_hop *r = new_recv(RECV_READ, key, lo, hi);

	if (!r)
		return;
	r->hop.flags = filter_passes() ? 0 : RECV_OTHERS;
	emit_reader(r, id, current_tid());
}
