/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which packets are asked for. src/subsys/packet.cpp sets the constants. The cheapest test comes first. */
#pragma once

#include "lib/net/packet.h"

const volatile bool packet_headers;  /* a record of a packet has its headers */
const volatile __u32 packet_netns;   /* inode; 0: any */
const volatile __u32 packet_ifindex; /* in that namespace; 0: any */
const volatile __u32 packet_family; /* the ethertype of IPv4 or IPv6; 0: any */
const volatile bool packet_by_protocol;
const volatile __u32 packet_protocols[PACKET_PROTOCOL_FILTERS]; /* number + 1, an ethertype with its flag; the first 0 ends them */
const volatile bool packet_by_ports;
const volatile __u32 packet_ports[PACKET_PORT_FILTERS]; /* the first 0 ends them */
const volatile bool packet_by_address;
const volatile __u64 packet_address_hi; /* what remains of an address under the mask */
const volatile __u64 packet_address_lo;
const volatile __u64 packet_mask_hi;
const volatile __u64 packet_mask_lo;

static __always_inline bool packet_headers_filtered(void)
{
	return packet_family || packet_by_protocol || packet_by_ports || packet_by_address;
}

static __always_inline bool packet_device_passes(__u32 ifindex, __u32 netns)
{
	return (!packet_netns || netns == packet_netns) && (!packet_ifindex || ifindex == packet_ifindex);
}

static __always_inline bool packet_protocol_passes(const struct packet *p)
{
	int i;

	for (i = 0; i < PACKET_PROTOCOL_FILTERS && packet_protocols[i]; i++) {
		__u32 wanted = packet_protocols[i] - 1;

		if (wanted & PACKET_IS_ETHERTYPE ? wanted == (p->ethertype | PACKET_IS_ETHERTYPE) :
						   p->known & PACKET_ADDRESSES && wanted == p->protocol)
			return true;
	}
	return false;
}

static __always_inline bool packet_port_passes(const struct packet *p)
{
	int i;

	if (!(p->known & PACKET_PORTS))
		return false;
	for (i = 0; i < PACKET_PORT_FILTERS && packet_ports[i]; i++)
		if (packet_ports[i] == p->source_port || packet_ports[i] == p->dest_port)
			return true;
	return false;
}

static __always_inline bool packet_address_passes(const struct packet *p)
{
	if (!(p->known & PACKET_ADDRESSES))
		return false;
	return ((p->source_hi & packet_mask_hi) == packet_address_hi &&
		(p->source_lo & packet_mask_lo) == packet_address_lo) ||
	       ((p->dest_hi & packet_mask_hi) == packet_address_hi &&
		(p->dest_lo & packet_mask_lo) == packet_address_lo);
}

/* Of the headers. */
static __always_inline bool packet_passes(const struct packet *p)
{
	return (!packet_family || p->ethertype == packet_family) &&
	       (!packet_by_protocol || packet_protocol_passes(p)) &&
	       (!packet_by_address || packet_address_passes(p)) &&
	       (!packet_by_ports || packet_port_passes(p));
}
