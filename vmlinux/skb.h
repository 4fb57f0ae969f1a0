/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Packets and devices: include/linux/skbuff.h, netdevice.h, net/dst.h, net/neighbour.h, net/net_namespace.h */
#pragma once

#include "core.h"

#include "fs.h"
#include "net.h"
#include "sched.h"

struct net {
	struct ns_common ns;
	struct hlist_head *dev_index_head; /* devices by the lowest 8 bits of their number */
} CORE;

struct net_device {
	char name[16];
	int ifindex;
	struct {
		struct net *net;
	} nd_net;
	struct hlist_node index_hlist; /* in dev_index_head */
} CORE;

struct neighbour {
	struct {
		struct sk_buff *next, *prev; /* the head itself: it is empty */
	} arp_queue; /* what waits for its link-layer address */
} CORE;

struct dst_entry {
	struct net_device *dev;
} CORE;

struct skb_shared_info {
	unsigned short gso_size;
	unsigned short gso_segs; /* 0 if it is one segment */
} CORE;

struct sk_buff {
	struct sk_buff *next, *prev; /* NULL where it is in no list */
	struct net_device *dev; /* in the queue of a socket, anything: its place is used otherwise */
	struct sock *sk;
	unsigned long _skb_refdst; /* a struct dst_entry, and a flag in bit 0 */
	unsigned int len;
	unsigned int data_len;	   /* of len, outside of the linear part */
	int skb_iif;		   /* number of the device that it came by */
	__be16 vlan_proto;
	__u16 vlan_tci;
	__be16 protocol;
	__u16 network_header; /* this and the next from head on */
	unsigned int tail;
	unsigned int end; /* there is its skb_shared_info */
	unsigned char *head;
	unsigned char *data;
	unsigned int truesize; /* bytes of memory; TCP_PURE_ACK */
} CORE;

#define TCP_PURE_ACK 2 /* truesize of a packet of TCP's own that only acknowledges */

/* 6.2 (354259fa73e2) made vlan_present, a bit, the question whether vlan_all is 0. */
struct sk_buff___6_1 {
	__u8 vlan_present : 1;
} CORE;

struct sk_buff___6_2 {
	__u32 vlan_all;
} CORE;
