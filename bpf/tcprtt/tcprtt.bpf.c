// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The round-trip time of established TCP sockets, at each segment that they receive: the kernel
 * keeps it in the socket. Whose a socket is is kept only if somebody asks for certain tasks.
 *
 * By keys a slot is an element of a hash: percentiles want 16 slots for a power of two, and a value of all
 * slots would be 8 KiB for each key. Rejected: the smoothed time alone, by which a socket that only
 * receives counts one time again and again (--sample counts each measurement once).
 */
#include "core.h"

#include "net.h"
#include "tcp.h"

#include "lib/core/hist.h"
#include "lib/net/sock_filter.h"
#include "lib/net/sock_info.h"
#include "lib/core/table.h"
#include "tcprtt.h"

#define KEYS 65536

const volatile __u32 by; /* enum rtt_by; 0: one for all */
const volatile bool averaged; /* sums instead of slots */
const volatile bool sampled; /* the last sample, where data is acknowledged, instead of the smoothed time */

HISTS(rtts, 1);
HIST_BY(rtts_by, struct rtt_slot_key, KEYS);
TABLE(averages, struct rtt_key, struct rtt_sum, KEYS);

static __always_inline void fill_key(struct rtt_slot_key *key, const struct sock_ends *ends)
{
	key->by = by;
	if (by & RTT_BY_LOCAL) {
		key->ends.local_hi = ends->local_hi;
		key->ends.local_lo = ends->local_lo;
	}
	if (by & RTT_BY_LOCAL_PORT)
		key->ends.local_port = ends->local_port;
	if (by & RTT_BY_REMOTE) {
		key->ends.remote_hi = ends->remote_hi;
		key->ends.remote_lo = ends->remote_lo;
	}
	if (by & RTT_BY_REMOTE_PORT)
		key->ends.remote_port = ends->remote_port;
}

static __always_inline void count(const struct sock_ends *ends, __u64 ns)
{
	const struct rtt_sum zero = {};
	struct rtt_slot_key key = {};
	struct rtt_sum *sum;

	if (!by && !averaged) {
		hist_add(&rtts, ns);
		return;
	}
	fill_key(&key, ends);
	if (!averaged) {
		key.slot = hist_slot(ns);
		hist_add_by(&rtts_by, &key, ns);
		return;
	}
	sum = table_find(&averages, &key, &zero); /* which begins like the other one's key */
	if (!sum)
		return;
	__sync_fetch_and_add(&sum->count, 1);
	__sync_fetch_and_add(&sum->sum_ns, ns);
}

/* In ns; 0: there is none. */
static __always_inline __u64 rtt_of(const bool typed, struct tcp_sock *tp, struct sk_buff *skb)
{
	__u32 acked;

	if (!sampled)
		return (__u64)LOAD(tp, srtt_us) * (1000 / 8);
	if (tcp_skb_read(&acked, skb, ack_seq) || (__s32)(acked - LOAD(tp, snd_una)) <= 0)
		return 0;
	return (__u64)LOAD(tp, rack.rtt_us) * 1000;
}

TRACEPOINT(tcp_probe, struct sock *sk, struct sk_buff *skb)
{
	struct sock_ends ends = {};
	struct tcp_sock *tp;
	__u64 ns;

	if (!sock_passes_by_owner(typed, sk) || !sock_uid_passes(typed, sk))
		return 0;
	if (by || sock_filtered) {
		sock_ends_fill(typed, sk, &ends);
		if (!sock_ends_pass(&ends))
			return 0;
	}
	tp = tcp_sock_of(typed, sk);
	if (!tp)
		return 0;
	ns = rtt_of(typed, tp, skb);
	if (ns)
		count(&ends, ns);
	return 0;
}

/* Loaded only if certain tasks are asked for. */
TRACEPOINT(inet_sock_set_state, struct sock *sk, int from, int to)
{
	sock_info_follow(typed, sk, from, to);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
