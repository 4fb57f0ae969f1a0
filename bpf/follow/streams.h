/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The TCP streams that have sampled bytes: by the sender's socket, and by both ends' addresses and ports, which is how
 * packets and the receiving socket find it.
 *
 * Of a stream one range is kept, from its first sampled byte that is under way to its last: what touches it is reported,
 * and user space, which has each sample's bytes, decides. Rejected: the packet's address, which clones, GSO and
 * retransmits change; a range for each sample, which 5.10 cannot claim atomically. Two streams of the same ends in two
 * network namespaces would be mixed up if their sequence numbers met, too.
 *
 * The maps are LRU: what ends a stream is the end of its socket, and a stream whose bytes are all read may stay until
 * then. A live one that is thrown out by 8,192 others loses hops, and its samples say so.
 *
 * A stream is open from the beginning of a sampled call until all of its range has come to its end. A hook asks first
 * whether any is open, then whether one is in the slot of the connection's ports, and looks at no other packet.
 */
#pragma once

#include "core.h"

#include "connections.h"
#include "lib/core/emit.h"
#include "lib/net/sock.h"
#include "sample.h"
#include "send_calls.h"

#define STREAMS 8192
#define MOST_BYTES (1U << 30) /* of one call: what is not known before its end */

const volatile bool receiving; /* follow recv: a stream is of sampled segments that arrive, and known by a number */

struct stream {
	__u32 lo, hi;
	__u32 acked, read; /* the last that was reported */
	__u32 is_local;	   /* the receiving socket is on this machine */
	__u32 hole;	   /* receiving: what came before it may wait for bytes that have not */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, STREAMS);
	__type(key, __u64);
	__type(value, struct stream);
} streams SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, STREAMS);
	__type(key, struct sock_ends);
	__type(value, __u64);
} senders SEC(".maps");

/* Those that are open, and their slots: to insert and to delete is to claim the change, which 5.10 cannot do in a value. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STREAMS);
	__type(key, __u64);
	__type(value, __u32);
} open_streams SEC(".maps");

static __always_inline struct stream *stream_of(__u64 sk)
{
	return bpf_map_lookup_elem(&streams, &sk);
}

static __always_inline bool touches(const struct stream *s, __u32 lo, __u32 hi)
{
	return is_after(hi, s->lo) && is_after(s->hi, lo);
}

/* The followed socket that sends to this one; 0: none. */
static __always_inline __u64 sender_to(__u64 sk)
{
	struct sock_ends ends = {};
	__u64 *sender;

	peer_ends(sk, &ends);
	sender = bpf_map_lookup_elem(&senders, &ends);
	return sender ? *sender : 0;
}

/* All of it has come to its end. */
static __always_inline bool is_over(const struct stream *s)
{
	return (receiving || !is_after(s->hi, s->acked)) && (!s->is_local || !is_after(s->hi, s->read));
}

/* Counted before it is there, so that whoever closes it cannot be the first to count. */
static __always_inline void open_stream(__u64 sk, const struct sock_ends *ends)
{
	__u32 slot = slot_of(ends->local_port, ends->remote_port);
	int result; /* before 6.4 the upper half of what the map returns is not its sign's */

	count_open(slot, 1);
	result = bpf_map_update_elem(&open_streams, &sk, &slot, BPF_NOEXIST);
	if (!result)
		return;
	count_open(slot, -1);
	if (result != -EEXIST)
		count_loss(LOSS_STREAMS_FULL);
}

/*
 * It is over, or gone. A call that begins meanwhile makes the range longer and then finds the stream open still: so this asks
 * again after it was claimed, and lowers the count only if nobody has begun.
 */
__noinline int close_stream(__u64 sk)
{
	__u32 *known = bpf_map_lookup_elem(&open_streams, &sk), slot;
	struct stream *s;

	if (!known)
		return 0;
	slot = *known;
	if (bpf_map_delete_elem(&open_streams, &sk))
		return 0;
	s = stream_of(sk);
	if (s && !is_over(s) && !bpf_map_update_elem(&open_streams, &sk, &slot, BPF_NOEXIST))
		return 0;
	count_open(slot, -1);
	return 0;
}

/*
 * After each change of what is_over() reads. Acknowledgement and read may come on two CPUs at a time, and one must see what the
 * other one wrote: each sends its record in between, which is a full barrier.
 */
static __always_inline void settle_stream(__u64 sk, const struct stream *s)
{
	if (is_over(s))
		close_stream(sk);
}

/* Bytes [lo, hi) are followed from now on, too. */
static __always_inline int add_to_stream(__u64 sk, __u32 lo, __u32 hi, const struct sock_ends *ends)
{
	struct stream fresh = {.lo = lo, .hi = hi, .acked = lo, .read = lo, .is_local = receiving, .hole = lo};
	struct stream *s = stream_of(sk);

	if (receiving && s && is_after(s->lo, lo)) /* out of order, or once more */
		s->lo = lo;
	if (receiving && s && is_after(s->read, lo))
		s->read = lo;
	if (s && (is_over(s) || hi - s->lo > 2 * MOST_BYTES)) {
		*s = fresh;
	} else if (s) {
		if (is_after(hi, s->hi))
			s->hi = hi;
	} else if (bpf_map_update_elem(&streams, &sk, &fresh, BPF_ANY)) {
		count_loss(LOSS_STREAMS_FULL);
		return 0;
	}
	if (bpf_map_update_elem(&senders, ends, &sk, BPF_ANY))
		count_loss(LOSS_STREAMS_FULL);
	open_stream(sk, ends);
	return 0;
}

__noinline int follow_stream(__u64 sk, __u32 lo, __u32 hi)
{
	struct sock_ends ends = {};

	sock_ends_fill(false, (void *)sk, &ends);
	return add_to_stream(sk, lo, hi, &ends);
}

/* The stream after a call that was to write up to `intended` has ended at `hi`; NULL: there is none. */
static __always_inline struct stream *shrunk_stream(__u64 sk, __u32 intended, __u32 hi)
{
	struct stream *s = stream_of(sk);

	if (s && s->hi == intended)
		s->hi = hi;
	return s;
}

/*
 * The sender's socket ends. Where the reader has not read all, the stream stays for it, under a number that no socket has:
 * an orphan in FIN_WAIT2 ends long before.
 */
static __always_inline void leave_stream(__u64 sk, const struct stream *s)
{
	__u64 gone = sk | STREAM_GONE;
	struct sock_ends ends = {};
	struct stream last = *s;

	sock_ends_fill(false, (void *)sk, &ends);
	bpf_map_delete_elem(&streams, &sk);
	last.acked = last.hi;
	if (!is_over(&last) && !bpf_map_update_elem(&streams, &gone, &last, BPF_ANY) &&
	    !bpf_map_update_elem(&senders, &ends, &gone, BPF_ANY))
		open_stream(gone, &ends);
	else
		bpf_map_delete_elem(&senders, &ends);
	close_stream(sk);
}

/* After the sender's socket the reader's has ended, or has read all; or, receiving, the reader's has ended. */
static __always_inline void forget_gone(__u64 gone, __u64 reader)
{
	struct sock_ends ends = {};

	peer_ends(reader, &ends);
	bpf_map_delete_elem(&senders, &ends);
	bpf_map_delete_elem(&streams, &gone);
	close_stream(gone);
}
