// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each attempt to connect, when it is decided: SYN_SENT is entered by the task that
 * connects, and left when the other end has answered, or nobody has.
 */
#include "core.h"

#include "net.h"

#include "lib/sock_filter.h"
#include "lib/sock_note.h"
#include "tcpconnect.h"

const volatile bool failed_only;
const volatile __u64 min_ns; /* only those that took so long */

static __always_inline __u32 sent_again(const bool typed, struct sock *sk)
{
	struct tcp_sock *tp = tcp_sock_of(typed, sk);

	return tp ? LOAD(tp, total_retrans) : 0;
}

static __always_inline void emit_connect(const bool typed, struct sock *sk, const struct sock_note *n, int to)
{
	__u64 now = bpf_ktime_get_ns();
	struct connect_event *e;
	struct sock_ends ends;

	if ((failed_only && to != BPF_TCP_CLOSE) || (min_ns && (!n->ts_ns || now - n->ts_ns < min_ns)))
		return;
	sock_ends_fill(typed, sk, &ends);
	if (!sock_ends_pass(&ends) || !sock_uid_passes(typed, sk))
		return;
	e = emit_reserve(sizeof(*e));
	if (!e)
		return;
	e->ts_ns = now;
	e->since_ns = n->ts_ns;
	e->ends = ends;
	e->established = to != BPF_TCP_CLOSE;
	e->error = e->established ? 0 : LOAD(sk, sk_err);
	e->uid = LOAD(sk, sk_uid.val);
	e->tgid = n->pid_tgid >> 32;
	e->tid = n->pid_tgid;
	e->again = sent_again(typed, sk);
	__builtin_memcpy(e->comm, n->comm, sizeof(e->comm));
	emit_submit(e, sizeof(*e));
}

TRACEPOINT(inet_sock_set_state, struct sock *sk, int from, int to)
{
	struct sock_note *n;

	if ((to != BPF_TCP_SYN_SENT && from != BPF_TCP_SYN_SENT) || !sock_is_tcp(typed, sk))
		return 0;
	n = sock_note_at(typed, sk, from, to);
	if (!n)
		return 0;
	if (to == BPF_TCP_SYN_SENT) {
		n->ts_ns = bpf_ktime_get_ns();
		return 0;
	}
	if (sock_is_asked(n))
		emit_connect(typed, sk, n, to);
	sock_note_end(typed, sk, from);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
