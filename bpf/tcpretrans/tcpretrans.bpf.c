// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each packet that TCP sends again, with the cause as the socket's state tells it.
 * Whose a socket is was kept at the changes of its state.
 *
 * Rejected: kprobes on the timers and on recovery (four functions, some of them inlined); the owner by
 * the socket's inode in /proc, which is gone with the process, and by which the kernel cannot filter.
 */
#include "core.h"

#include "net.h"
#include "tcp.h"

#include "lib/net/sock_filter.h"
#include "lib/net/sock_info.h"
#include "lib/core/table.h"
#include "tcpretrans.h"

#define KEYS 65536

const volatile bool by_flow; /* counts instead of records */

TABLE(flows, struct flow_key, struct flow_counts, KEYS);

/*
 * The states of congestion control say what it recovers from. The retransmission timer takes
 * itself off before it sends; a probe for the tail is sent before its timer is taken off.
 */
static __always_inline __u32 cause_of(struct sock *sk, __u32 state)
{
	struct inet_connection_sock___timer *icsk = (void *)sk;
	struct tcp_sock___options *tp = (void *)sk;
	__u32 recovers = BPF_CORE_READ_BITFIELD_PROBED(icsk, icsk_ca_state);
	__u32 timer = BPF_CORE_READ(icsk, icsk_pending);

	if (state == BPF_TCP_SYN_SENT)
		return CAUSE_SYN;
	if (recovers == TCP_CA_LOSS)
		return timer ? CAUSE_SLOW_START : CAUSE_TIMEOUT;
	if (recovers == TCP_CA_RECOVERY)
		return BPF_CORE_READ_BITFIELD_PROBED(tp, rx_opt.sack_ok) ? CAUSE_SACK : CAUSE_FAST;
	return timer == ICSK_TIME_LOSS_PROBE ? CAUSE_PROBE : CAUSE_OTHER;
}

static __always_inline void fill_tcp(struct tcp_sock *tp, struct retransmit_event *e)
{
	e->srtt_us = BPF_CORE_READ(tp, srtt_us) >> 3;
	e->cwnd = BPF_CORE_READ(tp, snd_cwnd);
	e->total = BPF_CORE_READ(tp, total_retrans);
}

static __always_inline void fill_packet(struct sk_buff *skb, struct retransmit_event *e)
{
	struct sk_buff___tcp *packet = (void *)skb;
	__u16 segments = 0;

	tcp_skb_read(&e->seq, skb, seq);
	tcp_skb_read(&segments, skb, tcp_gso_segs);
	e->segments = segments ?: 1;
	e->size_bytes = BPF_CORE_READ(packet, len);
}

static __always_inline void count_flow(const struct retransmit_event *e)
{
	const struct flow_counts zero = {};
	struct flow_key key = {.ends = e->ends, .tgid = e->tgid};
	struct flow_counts *n;

	__builtin_memcpy(key.comm, e->comm, sizeof(key.comm));
	n = table_find(&flows, &key, &zero);
	if (!n)
		return;
	__sync_fetch_and_add(&n->segments[e->cause & (CAUSES - 1)], e->segments);
	/* Of a constant 0 clang makes an atomic OR, which 5.10 does not know. */
	if (e->size_bytes)
		__sync_fetch_and_add(&n->bytes, e->size_bytes);
}

/* `e` has all but time and task. */
static __always_inline void report(struct retransmit_event *e, const struct sock_info *n)
{
	struct retransmit_event *sent;

	if (task_filtered && !(n && n->flags & SOCK_PASSES))
		return;
	if (n) {
		e->tgid = n->pid_tgid >> 32;
		e->tid = n->pid_tgid;
		__builtin_memcpy(e->comm, n->comm, sizeof(e->comm));
	}
	if (by_flow) {
		count_flow(e);
		return;
	}
	sent = emit_reserve(sizeof(*sent));
	if (!sent)
		return;
	e->ts_ns = bpf_ktime_get_ns();
	*sent = *e;
	emit_submit(sent, sizeof(*sent));
}

static __always_inline bool begin(const bool typed, struct sock *sk, struct retransmit_event *e)
{
	sock_ends_fill(typed, sk, &e->ends);
	return sock_ends_pass(&e->ends);
}

TRACEPOINT(tcp_retransmit_skb, struct sock *sk, struct sk_buff *skb)
{
	struct retransmit_event e = {};

	if (!sock_uid_passes(typed, sk) || !begin(typed, sk, &e))
		return 0;
	e.uid = LOAD(sk, sk_uid.val);
	e.state = LOAD(sk, __sk_common.skc_state);
	e.cause = cause_of(sk, e.state);
	e.error = retransmit_error(ctx);
	fill_packet(skb, &e);
	fill_tcp((struct tcp_sock *)sk, &e);
	report(&e, sock_info_of(typed, sk));
	return 0;
}

/* The socket is the listening one; what is asked for begins like a socket. */
TRACEPOINT(tcp_retransmit_synack, struct sock *sk, struct request_sock *request)
{
	struct retransmit_event e = {};

	if (!sock_uid_passes(typed, sk) || !begin(false, (struct sock *)request, &e))
		return 0;
	e.uid = LOAD(sk, sk_uid.val);
	e.state = BPF_TCP_NEW_SYN_RECV;
	e.cause = CAUSE_SYN_ACK;
	e.segments = 1;
	e.total = BPF_CORE_READ(request, num_retrans) + 1;
	report(&e, sock_info_of(typed, sk));
	return 0;
}

/* A probe sends new data if there is some that the other end's window has room for; else it sends again. */
static __always_inline bool probes_with_new_data(struct sock *sk, struct sk_buff *skb)
{
	struct sk_buff___tcp *packet = (void *)skb;
	struct tcp_sock___options *tp = (void *)sk;
	__u32 seq, end = BPF_CORE_READ(tp, snd_una) + BPF_CORE_READ(tp, snd_wnd);
	__u32 bytes = BPF_CORE_READ(tp, mss_cache);

	if (!skb || BPF_CORE_READ(tp, tlp_high_seq) || tcp_skb_read(&seq, skb, seq))
		return false;
	if (BPF_CORE_READ(packet, len) < bytes)
		bytes = BPF_CORE_READ(packet, len);
	return (__s32)(seq + bytes - end) <= 0;
}

static __always_inline int new_probe(const bool typed, struct sock *sk)
{
	struct sock___send *sender = (void *)sk;
	struct sk_buff *skb = BPF_CORE_READ(sender, sk_send_head);
	struct retransmit_event e = {};

	if (!sock_uid_passes(false, sk) || !begin(false, sk, &e) || !probes_with_new_data(sk, skb))
		return 0;
	e.uid = BPF_CORE_READ(sk, sk_uid.val);
	e.state = BPF_CORE_READ(sk, __sk_common.skc_state);
	e.cause = CAUSE_NEW_PROBE;
	fill_packet(skb, &e);
	e.segments = 1;
	fill_tcp((struct tcp_sock *)sk, &e);
	report(&e, sock_info_of(typed, sk));
	return 0;
}

/* Loaded only with --loss-probes. */
SEC("fentry/tcp_send_loss_probe") int tcp_send_loss_probe__fentry(tp_ctx *ctx)
{
	return new_probe(true, (void *)ctx[0]);
}

SEC("kprobe/tcp_send_loss_probe") int tcp_send_loss_probe__kprobe(struct pt_regs *ctx)
{
	return new_probe(false, (void *)PT_REGS_PARM1(ctx));
}

TRACEPOINT(inet_sock_set_state, struct sock *sk, int from, int to)
{
	sock_info_follow(typed, sk, from, to);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
