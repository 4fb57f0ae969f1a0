/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The system-call stage of a send: chooses the sample, and knows which bytes of which stream are its own. */
#pragma once

#include "compat.h"
#include "core.h"
#include "net.h"
#include "tcp.h"

#include "lib/core/emit.h"
#include "lib/net/accept_call.h"
#include "sample.h"
#include "send.h"
#include "streams.h"

#define AF_INET6 10

struct send {
	__u64 sample;
	__u64 sock;
	__u32 lo;
	__u32 nr; /* of the system call; 0 by functions */
};

/* By thread; deleted when the call returns. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct send);
} sends_active SEC(".maps");

static __u32 n_calls;

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

static __always_inline bool is_open_tcp(struct sock *sk)
{
	__u32 family = BPF_CORE_READ(sk, __sk_common.skc_family);

	return BPF_CORE_READ(sk, sk_protocol) == IPPROTO_TCP && (family == AF_INET || family == AF_INET6) &&
	       sock_may_send(sk);
}

static __always_inline void emit_send_start(const struct send *c)
{
	struct send_start *s = emit_reserve(sizeof(*s));

	if (!s)
		return;
	fill_send(&s->hop, SEND_ENTER, c->sock);
	s->hop.id = c->sample;
	s->hop.lo = s->hop.hi = c->lo;
	s->hop.call = c->nr;
	__builtin_memset(&s->ends, 0, sizeof(s->ends));
	sock_ends_fill(false, (void *)c->sock, &s->ends);
	emit_submit(s, sizeof(*s));
}

/* A send begins; with a random choice the caller has already found that this one is hit. */
__noinline int begin_send(__u64 sk, __u32 nr)
{
	struct send c = {.sock = sk, .nr = nr};
	__u32 tid = current_tid();

	if (!sk || !is_open_tcp((void *)sk))
		return 0;
	if (every && !every_hit())
		return 0;
	if (limit && n_sampled >= limit)
		return 0;
	c.lo = BPF_CORE_READ(bytes_of(sk), write_seq);
	c.sample = next_sample();
	if (bpf_map_update_elem(&sends_active, &tid, &c, BPF_NOEXIST)) {
		count_loss(LOSS_SENDS_FULL);
		return 0;
	}
	__sync_fetch_and_add(&n_calls, 1);
	emit_send_start(&c);
	follow_stream(sk, c.lo, c.lo + MOST_BYTES);
	return 0;
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

/* Nothing is known of what it sent. */
static __always_inline void forget_send(const struct send *c)
{
	struct stream *s = shrunk_stream(c->sock, c->lo + MOST_BYTES, c->lo);

	emit_send(SEND_ABANDONED, c, c->lo, 0, 0, 0);
	if (s)
		settle_stream(c->sock, s);
}

/* The kernel skipped the program at the end of the sampled call: the result of another one must not be taken for it. */
__noinline int abandon_send(void)
{
	struct send c;

	if (leave_send(&c))
		forget_send(&c);
	return 0;
}

/* What keeps the bytes before `hi` from being sent, as the socket has it now. */
static __always_inline __u32 limit_of(struct tcp_sock___bytes *tp, __u32 hi)
{
	__u32 next = BPF_CORE_READ(tp, snd_nxt), end;

	if (!is_after(hi, next))
		return LIMIT_NONE;
	end = BPF_CORE_READ(tp, snd_una) + BPF_CORE_READ(tp, snd_wnd);
	if (BPF_CORE_READ(tp, packets_out) >= BPF_CORE_READ(tp, snd_cwnd))
		return LIMIT_CWND;
	/* Less than a whole segment waits for more room, too. */
	if (is_after(hi, end) && (__s32)(end - next) < 65536)
		return LIMIT_WINDOW;
	return LIMIT_OTHER;
}

__noinline int end_send(__s64 ret, __u32 nr)
{
	struct tcp_sock___bytes *tp;
	struct stream *s;
	struct send c;
	__u32 hi, end, flags = 0;

	if (!leave_send(&c))
		return 0;
	if (c.nr != nr) {
		forget_send(&c);
		return 0;
	}
	tp = bytes_of(c.sock);
	hi = c.lo + (ret > 0 ? (__u32)ret : 0);
	end = BPF_CORE_READ(tp, write_seq);
	/* One for the FIN, if the connection was closed meanwhile. */
	if (ret > 0 && end != hi)
		flags = SEND_UNSURE;
	follow_stream(c.sock, c.lo, hi);
	s = shrunk_stream(c.sock, c.lo + MOST_BYTES, hi);
	emit_send(SEND_LEAVE, &c, hi, ret, flags, ret > 0 ? limit_of(tp, hi) : LIMIT_NONE);
	if (s)
		settle_stream(c.sock, s);
	return 0;
}
