// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each TCP session at its change to CLOSE, with all that went over it. No program
 * runs while it is open: what goes over open sessions, user space reads (tools/tcptop/sessions.h).
 *
 * Rejected: programs at sendmsg and recvmsg (3,300 instructions for each message); at tcp_probe (each
 * segment); a BPF iterator (of one network namespace, and not permitted everywhere).
 */
#include "core.h"

#include "net.h"

#include "lib/net/sock_counts.h"
#include "lib/net/sock_filter.h"
#include "lib/net/sock_info.h"
#include "tcptop.h"

/*
 * For its task, or for a process that has it open too or whose it was before the run: user space, which finds that one in
 * /proc, keeps it in sock_owners (tools/tcptop/sessions.h).
 */
static __always_inline bool somebody_asks(const bool typed, struct sock *sk, const struct sock_info *n)
{
	struct sock_owner_key key = {};

	if (sock_owner_passes(n))
		return true;
	key.cookie = LOAD(sk, __sk_common.skc_cookie.counter);
	return key.cookie && bpf_map_lookup_elem(&sock_owners, &key);
}

static __always_inline void emit_end(const bool typed, struct sock *sk, const struct sock_info *n)
{
	struct tcp_sock *tp = tcp_sock_of(typed, sk);
	struct tcptop_end *e;

	if (!tp || !sock_passes(typed, sk) || !somebody_asks(typed, sk, n))
		return;
	e = emit_reserve(sizeof(*e));
	if (!e)
		return;
	e->cookie = LOAD(sk, __sk_common.skc_cookie.counter);
	sock_ends_fill(typed, sk, &e->ends);
	e->tx_bytes = sock_sent(typed, tp, LOAD(tp, bytes_retrans));
	e->rx_bytes = sock_received(typed, sk, tp);
	e->again = LOAD(tp, total_retrans);
	e->uid = LOAD(sk, sk_uid.val);
	e->tgid = n->pid_tgid >> 32;
	e->passes = sock_owner_passes(n);
	e->born = (n->flags & (SOCK_CHILD | SOCK_CALLER)) != 0;
	e->pad = 0;
	__builtin_memcpy(e->comm, n->comm, sizeof(e->comm));
	emit_submit(e, sizeof(*e));
}

/* At a change to one of the others nothing is to be kept: the task is the one that was seen before. */
static __always_inline bool state_matters(int to)
{
	return to != BPF_TCP_ESTABLISHED && to != BPF_TCP_CLOSE_WAIT && to != BPF_TCP_FIN_WAIT2 && to != BPF_TCP_CLOSING;
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
	if (to != BPF_TCP_CLOSE)
		return 0;
	/* A connection that was never established is no session. */
	if (from != BPF_TCP_LISTEN && from != BPF_TCP_SYN_SENT && from != BPF_TCP_SYN_RECV)
		emit_end(typed, sk, n);
	sock_info_end(typed, sk, from);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
