/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a packet is, from its headers: read where they are linear, which they are in all but the
 * strangest packets. What is not there is said (PACKET_CUT), never guessed.
 */
#pragma once

#include "skb.h"

#include <bpf/bpf_endian.h>

#include "lib/net/packet_wire.h"
#include "lib/core/tracepoint.h"

#define ETHERTYPE_IPV4 0x0800
#define ETHERTYPE_IPV6 0x86dd
#define ETHERTYPE_VLAN 0x8100
#define ETHERTYPE_QINQ 0x88a8
#define VLAN_TAGS 2
#define VLAN_ID 0xfff

#define PROTOCOL_HOP_BY_HOP 0
#define PROTOCOL_ICMP 1
#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17
#define PROTOCOL_DCCP 33
#define PROTOCOL_ROUTING 43
#define PROTOCOL_FRAGMENT 44
#define PROTOCOL_AH 51
#define PROTOCOL_ICMPV6 58
#define PROTOCOL_OPTIONS 60
#define PROTOCOL_SCTP 132
#define PROTOCOL_UDPLITE 136
#define EXTENSION_HEADERS 6

#define IPV4_IS_IPV6 (0xffffULL << 32)

struct ipv4_header {
	__u8 version_words; /* version << 4 | length in words of 4 bytes */
	__u8 tos;
	__be16 bytes, id;
	__be16 fragment; /* flags << 13 | offset in words of 8 bytes */
	__u8 ttl, protocol;
	__be16 checksum;
	__be32 source, dest;
};

struct ipv6_header {
	__be32 version_class_flow;
	__be16 bytes;
	__u8 next, hops;
	__be64 source[2], dest[2];
};

/* The beginning of TCP, UDP and all that have ports; of ICMP type and code are in the first two bytes. */
struct ports_header {
	__be16 source, dest;
	__be32 sequence, acknowledged;
	__u8 words, flags;
};

struct packet_reader {
	unsigned char *head;
	__u32 at;  /* of the next header */
	__u32 end; /* of the linear part */
	__u32 ip;  /* where the header of IP begins; 0: it is not IP */
};

/* False if it is not in the linear part. */
static __always_inline bool packet_read(const struct packet_reader *r, void *header, const __u32 bytes)
{
	return r->at + bytes <= r->end && !bpf_probe_read_kernel(header, bytes, r->head + r->at);
}

static __always_inline bool has_ports(__u32 protocol)
{
	return protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP || protocol == PROTOCOL_SCTP ||
	       protocol == PROTOCOL_DCCP || protocol == PROTOCOL_UDPLITE;
}

/* At the header of the protocol. UDP has 8 bytes of which the ports are 4, TCP's flags are in byte 13. */
static __always_inline void packet_read_ports(const struct packet_reader *r, struct packet *p)
{
	struct ports_header header = {};
	bool tcp = p->protocol == PROTOCOL_TCP;

	if (!has_ports(p->protocol) && p->protocol != PROTOCOL_ICMP && p->protocol != PROTOCOL_ICMPV6)
		return;
	if (tcp ? !packet_read(r, &header, sizeof(header)) : !packet_read(r, &header, 4)) {
		p->known |= PACKET_CUT;
		return;
	}
	if (!has_ports(p->protocol)) {
		p->info = bpf_ntohs(header.source);
		return;
	}
	p->source_port = bpf_ntohs(header.source);
	p->dest_port = bpf_ntohs(header.dest);
	p->known |= PACKET_PORTS;
	if (tcp)
		p->info = header.flags;
}

static __always_inline bool packet_read_ipv4(struct packet_reader *r, struct packet *p)
{
	struct ipv4_header header = {};

	if (!packet_read(r, &header, sizeof(header)))
		return false;
	p->known |= PACKET_ADDRESSES;
	p->protocol = header.protocol;
	p->source_lo = IPV4_IS_IPV6 | bpf_ntohl(header.source);
	p->dest_lo = IPV4_IS_IPV6 | bpf_ntohl(header.dest);
	if (header.fragment & bpf_htons(0x1fff))
		p->known |= PACKET_FRAGMENT;
	r->at += (header.version_words & 15) * 4;
	return true;
}

/* Over one extension header; false: it is none, or cannot be read. */
static __always_inline bool packet_skip_extension(struct packet_reader *r, struct packet *p)
{
	__u8 header[4] = {}; /* of all of them: the next one's number, then the length */

	switch (p->protocol) {
	case PROTOCOL_HOP_BY_HOP:
	case PROTOCOL_ROUTING:
	case PROTOCOL_FRAGMENT:
	case PROTOCOL_AH:
	case PROTOCOL_OPTIONS:
		break;
	default:
		return false;
	}
	if (!packet_read(r, header, sizeof(header))) {
		p->known |= PACKET_CUT;
		return false;
	}
	if (p->protocol == PROTOCOL_FRAGMENT) {
		if (header[2] || header[3] & ~7)
			p->known |= PACKET_FRAGMENT;
		r->at += 8;
	} else if (p->protocol == PROTOCOL_AH) {
		r->at += (header[1] + 2) * 4;
	} else {
		r->at += (header[1] + 1) * 8;
	}
	p->protocol = header[0];
	return true;
}

static __always_inline bool packet_read_ipv6(struct packet_reader *r, struct packet *p)
{
	struct ipv6_header header = {};
	int i;

	if (!packet_read(r, &header, sizeof(header)))
		return false;
	p->known |= PACKET_ADDRESSES;
	p->protocol = header.next;
	p->source_hi = bpf_be64_to_cpu(header.source[0]);
	p->source_lo = bpf_be64_to_cpu(header.source[1]);
	p->dest_hi = bpf_be64_to_cpu(header.dest[0]);
	p->dest_lo = bpf_be64_to_cpu(header.dest[1]);
	r->at += sizeof(header);
	for (i = 0; i < EXTENSION_HEADERS; i++)
		if (!packet_skip_extension(r, p))
			return true;
	p->known |= PACKET_MORE;
	return true;
}

/* A tag that a device took off already stands beside the packet. */
static __always_inline bool packet_has_tag(const bool typed, struct sk_buff *skb)
{
	struct sk_buff___6_1 *bit = (void *)skb;
	struct sk_buff___6_2 *all = (void *)skb;

	if (bpf_core_field_exists(all->vlan_all))
		return LOAD(all, vlan_all);
	return typed ? BPF_CORE_READ_BITFIELD(bit, vlan_present) : BPF_CORE_READ_BITFIELD_PROBED(bit, vlan_present);
}

static __always_inline void packet_skip_tags(struct packet_reader *r, struct packet *p)
{
	__be16 tag[2] = {}; /* the VLAN's number, then the type of what follows */
	int i;

	for (i = 0; i < VLAN_TAGS; i++) {
		if (p->ethertype != ETHERTYPE_VLAN && p->ethertype != ETHERTYPE_QINQ)
			return;
		if (!packet_read(r, tag, sizeof(tag))) {
			p->known |= PACKET_CUT;
			return;
		}
		if (!(p->known & PACKET_VLAN))
			p->vlan = bpf_ntohs(tag[0]) & VLAN_ID;
		p->known |= PACKET_VLAN;
		p->ethertype = bpf_ntohs(tag[1]);
		r->at += sizeof(tag);
		p->bytes -= sizeof(tag);
	}
}

/* From `at` on, wherever the layers have moved the beginning of the data to. */
static __always_inline __u32 packet_bytes(const bool typed, struct sk_buff *skb, __u32 at)
{
	return LOAD(skb, len) + (__u32)(LOAD(skb, data) - LOAD(skb, head)) - at;
}

/* What the header of the protocol has behind `at`, without the data that the packet carries. */
static __always_inline __u32 packet_transport_bytes(const struct packet_reader *r, const struct packet *p)
{
	struct ports_header header = {};

	if (p->known & (PACKET_FRAGMENT | PACKET_CUT | PACKET_MORE))
		return 0;
	switch (p->protocol) {
	case PROTOCOL_TCP:
		return packet_read(r, &header, sizeof(header)) ? (header.words >> 4) * 4 : 0;
	case PROTOCOL_SCTP:
	case PROTOCOL_DCCP:
		return 12;
	case PROTOCOL_UDP:
	case PROTOCOL_UDPLITE:
	case PROTOCOL_ICMP:
	case PROTOCOL_ICMPV6:
		return 8;
	default:
		return 0;
	}
}

/* The headers of IP and its protocol as they are, if the output wants them, and zeros behind them; how many bytes they are. */
static __always_inline __u32 packet_copy_headers(const struct packet_reader *r, const struct packet *p,
						 char (*headers)[PACKET_HEADER_BYTES])
{
	__u32 end = r->at + packet_transport_bytes(r, p);
	__u64 bytes; /* 64 bits, as the helper takes it: of a part the verifier forgets the bound */

	__builtin_memset(__builtin_assume_aligned(headers, 4), 0, sizeof(*headers));
	if (end > r->end)
		end = r->end;
	if (!r->ip || end <= r->ip)
		return 0;
	bytes = end - r->ip;
	barrier_var(bytes);
	if (bytes > sizeof(*headers))
		bytes = sizeof(*headers);
	return bpf_probe_read_kernel(headers, bytes, r->head + r->ip) ? 0 : bytes;
}

/* Fills in all but the device; `at` is where the network header begins, from head on. With `ports`, ports and info, too. */
static __always_inline struct packet_reader packet_parse(const bool typed, struct sk_buff *skb, __u32 at,
							 const bool ports, struct packet *p)
{
	struct packet_reader r = {.head = LOAD(skb, head), .at = at, .end = LOAD(skb, tail)};
	bool whole = true;

	p->ethertype = bpf_ntohs(LOAD(skb, protocol));
	p->protocol = PACKET_NO_PROTOCOL;
	p->bytes = packet_bytes(typed, skb, at);
	if (packet_has_tag(typed, skb)) {
		p->known |= PACKET_VLAN;
		p->vlan = LOAD(skb, vlan_tci) & VLAN_ID;
	}
	packet_skip_tags(&r, p);
	if (p->ethertype == ETHERTYPE_IPV4 || p->ethertype == ETHERTYPE_IPV6)
		r.ip = r.at;
	if (p->ethertype == ETHERTYPE_IPV4)
		whole = packet_read_ipv4(&r, p);
	else if (p->ethertype == ETHERTYPE_IPV6)
		whole = packet_read_ipv6(&r, p);
	else
		return r;
	if (!whole)
		p->known |= PACKET_CUT;
	else if (ports && !(p->known & (PACKET_FRAGMENT | PACKET_CUT | PACKET_MORE)))
		packet_read_ports(&r, p);
	return r;
}
