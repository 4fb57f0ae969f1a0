/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The system-call stage of a send: chooses the sample, and knows which bytes of which stream are its own. */
#pragma once

#include "core.h"
#include "tcp.h"

#include "send_calls.h"
#include "streams.h"

static __always_inline bool is_open_tcp(struct sock *sk)
{
	__u32 family = BPF_CORE_READ(sk, __sk_common.skc_family);

	return BPF_CORE_READ(sk, sk_protocol) == IPPROTO_TCP && (family == AF_INET || family == AF_INET6) &&
	       sock_may_send(sk);
}

__noinline int begin_send(__u64 sk, __u32 nr)
{
	struct send c = {.sock = sk, .nr = nr};

	if (!sk || !is_open_tcp((void *)sk))
		return 0;
	c.lo = BPF_CORE_READ(bytes_of(sk), write_seq);
	if (enter_send(&c))
		follow_stream(sk, c.lo, c.lo + MOST_BYTES);
	return 0;
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
