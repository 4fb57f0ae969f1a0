// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each change of a TCP socket's state. A child of a listening socket has no remote
 * address yet when it is made: that change is told with the next one, a few microseconds later.
 */
#include "core.h"

#include "net.h"

#include "lib/net/sock_filter.h"
#include "lib/net/sock_info.h"
#include "tcpstates.h"

#define SOCK_UNTOLD SOCK_TOOL /* that it was made */

static __always_inline void emit_change(const bool typed, struct sock *sk, const struct sock_info *n,
					__u64 now, int from, int to)
{
	struct state_event *e;

	if (!sock_passes(typed, sk))
		return;
	e = emit_reserve(sizeof(*e));
	if (!e)
		return;
	e->ts_ns = now;
	e->since_ns = n->ts_ns;
	e->sock = (__u64)sk;
	sock_ends_fill(typed, sk, &e->ends);
	e->from = from;
	e->to = to;
	e->error = to == BPF_TCP_CLOSE ? LOAD(sk, sk_err) : 0;
	e->child = !!(n->flags & SOCK_UNTOLD);
	e->uid = LOAD(sk, sk_uid.val);
	e->tgid = n->pid_tgid >> 32;
	e->tid = n->pid_tgid;
	e->pad = 0;
	__builtin_memcpy(e->comm, n->comm, sizeof(e->comm));
	emit_submit(e, sizeof(*e));
}

TRACEPOINT(inet_sock_set_state, struct sock *sk, int from, int to)
{
	bool made = from == BPF_TCP_LISTEN && to == BPF_TCP_SYN_RECV;
	struct sock_info *n;
	__u64 now;

	if (!sock_is_tcp(typed, sk))
		return 0;
	n = sock_info_at(typed, sk, from, to);
	if (!n)
		return 0;
	now = bpf_ktime_get_ns();
	if (!made && sock_owner_passes(n))
		emit_change(typed, sk, n, now, from, to);
	n->ts_ns = now;
	n->flags = made ? n->flags | SOCK_UNTOLD : n->flags & ~SOCK_UNTOLD;
	if (to == BPF_TCP_CLOSE)
		sock_info_end(typed, sk, from);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
