/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Datagrams of UDP that are under way. UDP has no sequence numbers, and needs none: a packet is the same sk_buff from the call that
 * makes it to the driver or to its reader, over loopback, veth, bridges, NAT and tunnels alike. So the address is its identity, from
 * when the sampled call gives it to its device until it is freed. A datagram of several fragments has several packets.
 *
 * What frees a packet, or finds it unlinked, claims it by deleting it from the hash, which one program alone can.
 */
#pragma once

#include "core.h"
#include "net.h"
#include "skb.h"

#include "connections.h"
#include "lib/core/emit.h"
#include "lib/net/packet.h"
#include "readers.h"
#include "segment.h"
#include "send_calls.h"

#define DATAGRAMS 8192
#define ALL_LEFT (~0U)

enum datagram_stage {
	STAGE_SENDING, /* on its way to a driver, or to another machine */
	STAGE_RECEIVED, /* by a device of this machine */
	STAGE_QUEUED,	/* in the queue of `reader`; without one it found no place */
};

struct datagram {
	__u64 sample;
	__u64 reader;
	__u64 place;	   /* in the queue: struct queue_place */
	__u64 received_ns; /* by the last device */
	__u64 unlinked_ns; /* when it was first seen to have left the queue, and nobody had read it yet */
	__u64 dev;	   /* the device that received it last */
	__u32 lo, hi;	   /* of the last packet, or the only one, hi is the size of the datagram */
	__u32 stage;
	__u32 is_fragment; /* and not the last one, of which the others become a part */
	__u32 port;	   /* that it is sent to */
	__u32 pad;
};

/* By packet. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, DATAGRAMS);
	__type(key, __u64);
	__type(value, struct datagram);
} datagrams SEC(".maps");

/* Where a packet lies in the queue of a socket: those that are sampled are numbered as they came. */
struct queue_place {
	__u64 sock;
	__u64 number;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, DATAGRAMS);
	__type(key, struct queue_place);
	__type(value, __u64);
} queued SEC(".maps");

/* Packets that a CPU puts into `queued`, so that no other one does: to insert is to claim it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, DATAGRAMS);
	__type(key, __u64);
	__type(value, __u32);
} queueing SEC(".maps");

/* Of a packet or socket: where the count of those that are followed stands. */
static __always_inline __u32 address_slot(__u64 address)
{
	__u32 slot = address >> 8;

	barrier_var(slot);
	return slot & (SLOTS - 1);
}

static __always_inline bool may_be_followed(__u64 address)
{
	return in_flight() && open_at[address_slot(address)];
}

static __always_inline struct datagram *datagram_of(__u64 skb)
{
	return bpf_map_lookup_elem(&datagrams, &skb);
}

/* The same, for hooks that see each packet: most are spared the lookup. */
static __always_inline struct datagram *followed_datagram(__u64 skb)
{
	return may_be_followed(skb) ? datagram_of(skb) : NULL;
}

static __always_inline void emit_datagram(__u32 kind, __u64 skb, const struct datagram *d, bool at_device, __u32 reason)
{
	struct send_hop *h = new_part(kind, skb, d->lo, d->hi, at_device ? skb : 0);

	if (!h)
		return;
	h->id = d->sample;
	h->reason = reason;
	emit_submit(h, sizeof(*h));
}

/* Where it lay in a queue, if it did. */
static __always_inline void leave_queue(__u64 sk, __u64 number)
{
	struct queue_place at = {.sock = sk, .number = number};

	if (!bpf_map_delete_elem(&queued, &at))
		count_open(address_slot(sk), -1);
}

/* False: others have ended it. */
static __always_inline bool remove_datagram(__u64 skb, struct datagram *d)
{
	struct datagram *known = datagram_of(skb);

	if (!known)
		return false;
	*d = *known;
	if (bpf_map_delete_elem(&datagrams, &skb))
		return false;
	count_open(address_slot(skb), -1);
	bpf_map_delete_elem(&queueing, &skb);
	if (d->reader)
		leave_queue(d->reader, d->place);
	return true;
}

/* The end of what had the packet's address before was not seen. */
static __noinline int forget_datagram(__u64 skb)
{
	struct datagram old;

	if (remove_datagram(skb, &old))
		emit_datagram(SEND_ABANDONED, skb, &old, false, 0);
	return 0;
}

static __always_inline bool follow_datagram(__u64 skb, const struct datagram *d)
{
	__u32 slot = address_slot(skb);

	if (open_at[slot] && datagram_of(skb))
		forget_datagram(skb);
	count_open(slot, 1);
	if (!bpf_map_update_elem(&datagrams, &skb, d, BPF_NOEXIST))
		return true;
	count_open(slot, -1);
	count_loss(LOSS_STREAMS_FULL);
	return false;
}

/* ---- its headers */

/* seq is the size of the whole datagram, 0 of a fragment but the first, which has no ports either. */
static __always_inline bool datagram_parse(const bool typed, struct sk_buff *skb, __u32 at, struct segment *s)
{
	struct packet_reader r = {.head = LOAD(skb, head), .at = at, .end = LOAD(skb, tail)};
	struct {
		__be16 source, dest, bytes, checksum;
	} header = {};
	struct packet p = {};
	__u32 all = packet_bytes(typed, skb, at);

	if (!ends_parse(typed, skb, PROTOCOL_UDP, &r, &p, &s->ends))
		return false;
	if (!(p.known & PACKET_FRAGMENT)) {
		if (!packet_read(&r, &header, sizeof(header)))
			return false;
		r.at += sizeof(header);
		s->seq = bpf_ntohs(header.bytes) - sizeof(header);
	}
	s->ends.local_port = bpf_ntohs(header.source);
	s->ends.remote_port = bpf_ntohs(header.dest);
	s->bytes = all > r.at - at ? all - (r.at - at) : 0;
	return true;
}

/* ---- the system call */

/* A raw socket may have the protocol, too. */
static __always_inline bool is_udp(struct sock *sk)
{
	return BPF_CORE_READ(sk, sk_protocol) == PROTOCOL_UDP && BPF_CORE_READ(sk, sk_type) == SOCK_DGRAM;
}

__noinline int begin_send(__u64 sk, __u32 nr)
{
	struct send c = {.sock = sk, .nr = nr, .left = ALL_LEFT};
	struct sock *s = (void *)sk;
	__u32 family;

	if (!sk || !is_udp(s))
		return 0;
	family = BPF_CORE_READ(s, __sk_common.skc_family);
	if (family == AF_INET || family == AF_INET6)
		enter_send(&c);
	return 0;
}

__noinline int abandon_send(void)
{
	struct send c;

	if (leave_send(&c))
		emit_send(SEND_ABANDONED, &c, c.lo, 0, 0, 0);
	return 0;
}

__noinline int end_send(__s64 ret, __u32 nr)
{
	struct udp_sock *sk;
	struct send c;
	__u32 flags;

	if (!leave_send(&c))
		return 0;
	sk = (void *)c.sock;
	if (c.nr != nr) {
		emit_send(SEND_ABANDONED, &c, c.lo, 0, 0, 0);
		return 0;
	}
	flags = c.left == ALL_LEFT && BPF_CORE_READ(sk, pending) ? SEND_CORKED : 0;
	emit_send(SEND_LEAVE, &c, c.lo, ret, flags, 0);
	return 0;
}

static __always_inline void emit_packet(__u64 skb, const struct datagram *d, const struct sock_ends *ends)
{
	struct send_start *s = new_start(SEND_PACKET, skb);

	if (!s)
		return;
	s->hop.id = d->sample;
	s->hop.lo = d->lo;
	s->hop.hi = d->hi;
	s->ends = *ends;
	emit_submit(s, sizeof(*s));
}

/* The packet is one of the sampled call that this thread is in: the datagram's, or a fragment of it. Of several datagrams the first. */
__noinline int bind_packet(__u64 skb)
{
	__u32 tid = current_tid();
	struct send *c = bpf_map_lookup_elem(&sends_active, &tid);
	struct datagram d = {};
	struct segment s = {};

	if (!c || !c->left || (__u64)BPF_CORE_READ((struct sk_buff *)skb, sk) != c->sock)
		return 0;
	if (!datagram_parse(false, (void *)skb, BPF_CORE_READ((struct sk_buff *)skb, network_header), &s))
		return 0;
	d.sample = c->sample;
	d.lo = c->lo;
	d.hi = c->lo + s.bytes;
	c->lo = d.hi;
	if (c->left == ALL_LEFT)
		c->left = s.seq;
	c->left -= s.bytes < c->left ? s.bytes : c->left;
	d.is_fragment = c->left != 0;
	d.port = s.ends.remote_port;
	if (follow_datagram(skb, &d))
		emit_packet(skb, &d, &s.ends);
	return 0;
}

/* ---- devices */

/* It is in the queue of a UDP socket, or was when it was freed: where its device stood are its size and flags, no pointer. */
static __always_inline bool was_queued(__u64 skb)
{
	__u64 place = (__u64)BPF_CORE_READ((struct sk_buff *)skb, dev);

	return place && place >> 56 != 0xff;
}

/* `next` may be of the list of those that another CPU is to free. */
static __always_inline bool is_linked(__u64 skb)
{
	return BPF_CORE_READ((struct sk_buff *)skb, prev);
}

/* A device had received it, and what has that address now has come by none, but from a socket. */
static __always_inline bool is_another_packet(const struct datagram *d, struct sk_buff *skb)
{
	return d->stage == STAGE_RECEIVED && BPF_CORE_READ(skb, sk) && !BPF_CORE_READ(skb, skb_iif);
}

/* What lay in a queue was read, if a device has it now: it is another packet. */
__noinline int pass_datagram(__u64 skb, __u32 kind, __u32 stage)
{
	struct datagram *d = datagram_of(skb);

	if (!d)
		return 0;
	if (d->stage == STAGE_QUEUED || is_another_packet(d, (void *)skb))
		return forget_datagram(skb);
	d->stage = stage;
	emit_datagram(kind, skb, d, true, 0);
	return 0;
}

static __always_inline int end_datagram(__u64 skb, __u32 kind, __u32 reason)
{
	struct datagram d;

	if (remove_datagram(skb, &d))
		emit_datagram(kind, skb, &d, false, reason);
	return 0;
}

/* What was in a queue, and is another packet now, is not the one that was dropped. */
__noinline int drop_datagram(__u64 skb, __u32 reason)
{
	struct datagram *d = datagram_of(skb);

	if (d && d->stage == STAGE_QUEUED && !was_queued(skb))
		return forget_datagram(skb);
	return end_datagram(skb, SEND_DROP, reason);
}

/* By the current thread. */
static __always_inline int read_datagram(__u64 skb)
{
	struct datagram d;

	if (remove_datagram(skb, &d))
		emit_read(skb, d.sample, d.lo, d.hi);
	return 0;
}
