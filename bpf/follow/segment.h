/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A TCP segment or UDP datagram, from the headers of a packet: between which ends, and which bytes. */
#pragma once

#include "skb.h"

#include "lib/net/packet.h"
#include "lib/net/sock_wire.h"

struct segment {
	struct sock_ends ends; /* as the sender's socket has them */
	__u32 seq;
	__u32 bytes; /* without headers; of a GSO packet all */
};

/* The ends are those of the sender. False: it is another protocol's, or its headers are not in the linear part. */
static __always_inline bool ends_parse(const bool typed, struct sk_buff *skb, const __u32 protocol,
				       struct packet_reader *r, struct packet *p, struct sock_ends *ends)
{
	bool whole = false;

	p->ethertype = bpf_ntohs(LOAD(skb, protocol));
	if (p->ethertype == ETHERTYPE_IPV4)
		whole = packet_read_ipv4(r, p);
	else if (p->ethertype == ETHERTYPE_IPV6)
		whole = packet_read_ipv6(r, p);
	if (!whole || p->protocol != protocol || p->known & (PACKET_CUT | PACKET_MORE))
		return false;
	ends->local_hi = p->source_hi;
	ends->local_lo = p->source_lo;
	ends->remote_hi = p->dest_hi;
	ends->remote_lo = p->dest_lo;
	return true;
}

/* False: it is no segment, or has no bytes, or its headers are not in the linear part. */
static __always_inline bool segment_parse(const bool typed, struct sk_buff *skb, __u32 at, struct segment *s)
{
	struct packet_reader r = {.head = LOAD(skb, head), .at = at, .end = LOAD(skb, tail)};
	struct ports_header header = {};
	struct packet p = {};
	__u32 all = packet_bytes(typed, skb, at), before;

	if (!ends_parse(typed, skb, PROTOCOL_TCP, &r, &p, &s->ends) || p.known & PACKET_FRAGMENT ||
	    !packet_read(&r, &header, sizeof(header)))
		return false;
	before = r.at - at + (header.words >> 4) * 4;
	if (all <= before)
		return false;
	s->ends.local_port = bpf_ntohs(header.source);
	s->ends.remote_port = bpf_ntohs(header.dest);
	s->seq = bpf_ntohl(header.sequence);
	s->bytes = all - before;
	return true;
}
