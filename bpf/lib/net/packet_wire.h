/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is known of a packet. Shared by both sides. */
#pragma once

#include <linux/types.h>

enum packet_known {
	PACKET_ADDRESSES = 1, /* it is IP: the addresses, and the protocol */
	PACKET_PORTS = 2,
	PACKET_FRAGMENT = 4, /* not the first one: the ports are in another packet */
	PACKET_CUT = 8,	     /* headers are not in the linear part, or not there */
	PACKET_VLAN = 16,
	PACKET_MORE = 32, /* extension headers of IPv6 are left: the protocol is the next one's number */
};

/* Numbers of this machine, not of the network. IPv4 as ::ffff:a.b.c.d. */
struct packet {
	__u64 source_hi;
	__u64 source_lo;
	__u64 dest_hi;
	__u64 dest_lo;
	__u32 source_port;
	__u32 dest_port;
	__u32 ethertype; /* behind VLAN tags; PACKET_FAMILY + the family of local sockets; 0: none */
	__u32 protocol;	 /* of IP, or PACKET_NO_PROTOCOL */
	__u32 known;	 /* packet_known */
	__u32 info;	 /* of TCP the flags, of ICMP type << 8 | code */
	__u32 vlan;	 /* number of the outermost VLAN */
	__u32 bytes;	 /* from the network header on, or what is left of it */
	__u32 ifindex;	 /* 0: no device is known */
	__u32 netns;	 /* inode of its network namespace */
	char dev[16];
};

enum {
	PACKET_FAMILY = 1 << 16,
	PACKET_NO_PROTOCOL = 256,
	PACKET_HEADER_BYTES = 132, /* that are sent: most of IPv4 have 60, and so have those of TCP */
	PACKET_PORT_FILTERS = 32,
	PACKET_PROTOCOL_FILTERS = 16,
	PACKET_IS_ETHERTYPE = 1 << 16, /* in a filter: not a protocol of IP */
};

/* A record may end with them: __u32 header_bytes and char headers[PACKET_HEADER_BYTES]. Of one without, so much is sent. */
#define PACKET_BYTES_WITHOUT_HEADERS(type) (offsetof(type, headers) + 4)

#ifdef __cplusplus
static_assert(sizeof(packet) == 88, "no padding");
#endif
