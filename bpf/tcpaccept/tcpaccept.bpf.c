// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each TCP connection that is accepted: one program, and no map of connections.
 * The kernel notes in the socket when it was established (the beginning of the first measurement
 * for the receive buffer, which nobody touches before the first read), so its time in the queue
 * needs no program there. Where functions may be traced it is the end of inet_csk_accept(), which
 * no other system call pays for; else the end of all system calls. Who never accepts is found by the
 * counters of the listening socket (-x).
 *
 * Rejected: a program at each change of state with a table of sockets (a second program and two map
 * operations for each connection); kfree_skb's reasons for overflows (new kernels only, and every
 * drop of the host pays).
 */
#include "core.h"

#include "net.h"

#include "lib/net/accept_call.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "lib/core/hist_groups.h"
#include "lib/net/sock_filter.h"
#include "tcpaccept.h"

const volatile __u32 shown_as; /* enum accept_of */
const volatile __u64 min_ns;   /* only those that waited so long */

#define LISTENERS 1024

HIST_BY(accepted, struct accept_key, 1); /* sized before loading */

/* The group (lib/core/hist_groups.h) of the listening socket that was last seen with a port of this line. */
static __u32 groups[LISTENERS];

/* 6.10 (92ef0fd55ac8) moved the arguments after the first into a struct. */
struct proto_accept_arg {
	int flags;
} CORE;

static __always_inline void fill_queue(const bool typed, struct sock *listener, struct accept_event *e)
{
	struct tcp_sock *tp = listener ? tcp_sock_of(typed, listener) : NULL;

	e->listened = tp != NULL;
	e->waiting = tp ? LOAD(listener, sk_ack_backlog) : 0;
	e->limit = tp ? LOAD(listener, sk_max_ack_backlog) : 0;
	e->drops = tp ? LOAD(listener, sk_drops.counter) : 0;
	e->half_open = tp ? LOAD(tp, inet_conn.icsk_accept_queue.qlen.counter) : 0;
}

static __always_inline void emit_accept(const bool typed, struct sock *listener, const struct sock_ends *ends,
					__u64 since, __u64 now)
{
	struct accept_event *e = emit_reserve(sizeof(*e));
	__u64 pid_tgid;

	if (!e)
		return;
	pid_tgid = filter_pid_tgid();
	e->ts_ns = now;
	e->since_ns = since;
	e->ends = *ends;
	fill_queue(typed, listener, e);
	e->uid = bpf_get_current_uid_gid();
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	emit_submit(e, sizeof(*e));
}

static __always_inline void count_accept(const bool typed, struct sock *listener, __u64 lat_ns)
{
	struct accept_key key = {.of = shown_as};
	struct sock_ends ends;
	__u64 value;

	if (!listener)
		return count_loss(LOSS_LISTENER);
	sock_ends_fill(typed, listener, &ends);
	key.local_hi = ends.local_hi;
	key.local_lo = ends.local_lo;
	key.local_port = ends.local_port;
	value = shown_as == ACCEPT_QUEUE_TIME ? lat_ns : LOAD(listener, sk_ack_backlog) + 1ULL;
	hist_add_known(&accepted, &key, sizeof(key) / 8, hist_slot(value), value,
		       &groups[key.local_port & (LISTENERS - 1)]);
}

/* Of TCP. In a histogram the ends are looked at only if some are asked for, the time only if it counts. */
static __always_inline int end_accept(const bool typed, struct sock *listener, struct sock *sk)
{
	const bool listed = shown_as == ACCEPT_LIST, timed = shown_as != ACCEPT_BACKLOG || min_ns;
	__u64 now = 0, since = 0, lat_ns = 0;
	struct sock_ends ends;
	struct tcp_sock *tp;

	if (!filter_passes())
		return 0;
	if (sock_by_uid && (__u32)bpf_get_current_uid_gid() != sock_uid)
		return 0;
	if (timed) {
		tp = tcp_sock_of(typed, sk);
		if (!tp)
			return 0;
		now = bpf_ktime_get_ns();
		since = LOAD(tp, rcvq_space.time) * 1000;
		lat_ns = now > since ? now - since : 0;
	}
	if (lat_ns < min_ns)
		return 0;
	if (listed || sock_filtered) {
		sock_ends_fill(typed, sk, &ends);
		if (!sock_ends_pass(&ends))
			return 0;
	}
	if (listed)
		emit_accept(typed, listener, &ends, since, now);
	else
		count_accept(typed, listener, lat_ns);
	return 0;
}

/* (listener, flags, error, kern) -> socket, since 6.10 (listener, arguments); 0 if there is none */
SEC("fexit/inet_csk_accept") int accept_end__fexit(tp_ctx *ctx)
{
	struct sock *listener = (void *)ctx[0], *sk;

	if (bpf_core_type_exists(struct proto_accept_arg))
		sk = (void *)typed_arg(ctx, 2);
	else
		sk = (void *)typed_arg(ctx, 4);
	return sk && sock_is_tcp(true, sk) ? end_accept(true, listener, sk) : 0;
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	enum accept_kind kind = accept_kind(SYSCALL_NR(regs));
	struct sock *sk;
	__s32 listener;

	if (!kind || result < 0)
		return 0;
	listener = accept_listener(kind, (__u64)regs);
	sk = listener < 0 ? NULL : sock_of_fd(result);
	if (!sk || !sock_is_tcp(false, sk))
		return 0;
	return end_accept(false, sock_of_fd(listener), sk);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
