// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each TCP session at its change to CLOSE. What went over it, the kernel has counted
 * in the socket; only the time is kept here when it was established, and whose it is.
 */
#include "core.h"

#include "net.h"

#include "lib/net/sock_counts.h"
#include "lib/net/sock_filter.h"
#include "lib/net/sock_info.h"
#include "tcplife.h"

const volatile __u64 min_ns; /* only sessions that lasted so long */

static __always_inline void fill_counts(const bool typed, struct sock *sk, struct tcp_sock *tp,
					struct session_event *e)
{
	e->again_bytes = LOAD(tp, bytes_retrans);
	e->tx_bytes = sock_sent(typed, tp, e->again_bytes);
	e->rx_bytes = sock_received(typed, sk, tp);
	e->again = LOAD(tp, total_retrans);
	e->srtt_us = LOAD(tp, srtt_us) >> 3;
	e->min_rtt_us = LOAD(tp, rtt_min.s[0].v);
}

static __always_inline __u32 begun(const struct sock_info *n)
{
	if (n->flags & SOCK_CALLER)
		return BEGUN_HERE;
	return n->flags & SOCK_CHILD ? BEGUN_THERE : BEGUN_UNKNOWN;
}

static __always_inline void emit_session(const bool typed, struct sock *sk, const struct sock_info *n, int last)
{
	struct tcp_sock *tp = tcp_sock_of(typed, sk);
	__u64 now = bpf_ktime_get_ns();
	struct session_event *e;

	if (!tp || (min_ns && (!n->ts_ns || now - n->ts_ns < min_ns)))
		return;
	if (!sock_passes(typed, sk))
		return;
	e = emit_reserve(sizeof(*e));
	if (!e)
		return;
	e->ts_ns = now;
	e->since_ns = n->ts_ns;
	sock_ends_fill(typed, sk, &e->ends);
	fill_counts(typed, sk, tp, e);
	e->last_state = last;
	e->error = LOAD(sk, sk_err);
	e->begun = begun(n);
	e->uid = LOAD(sk, sk_uid.val);
	e->tgid = n->pid_tgid >> 32;
	e->tid = n->pid_tgid;
	e->pad = 0;
	__builtin_memcpy(e->comm, n->comm, sizeof(e->comm));
	emit_submit(e, sizeof(*e));
}

/* Nothing is to be kept at a change to one of the others: the task is the one that was seen before. */
static __always_inline bool state_matters(int to)
{
	return to != BPF_TCP_CLOSE_WAIT && to != BPF_TCP_FIN_WAIT2 && to != BPF_TCP_CLOSING;
}

TRACEPOINT(inet_sock_set_state, struct sock *sk, int from, int to)
{
	struct sock_info *n;

	if (!state_matters(to) || !sock_is_tcp(typed, sk))
		return 0;
	n = sock_info_at(typed, sk, from, to);
	if (!n)
		return 0;
	if (to == BPF_TCP_SYN_SENT)
		n->flags |= SOCK_CALLER;
	if (to == BPF_TCP_ESTABLISHED)
		n->ts_ns = bpf_ktime_get_ns();
	if (to != BPF_TCP_CLOSE)
		return 0;
	/* A connection that was never established is no session. */
	if (from != BPF_TCP_LISTEN && from != BPF_TCP_SYN_SENT && from != BPF_TCP_SYN_RECV && sock_owner_passes(n))
		emit_session(typed, sk, n, from);
	sock_info_end(typed, sk, from);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
