/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The device of a packet wherever it is freed. While a packet is in the queue of a socket, the
 * place of skb->dev is used otherwise (the third word of an rbnode, or a note of UDP's), and TCP
 * sets it to NULL before it looks at a segment; then the number of the device that the packet
 * came by is left, and the namespace is the socket's or the route's. Rejected: no device for TCP,
 * which most drops are of; names from user space, where a container's eth0 is not the host's.
 */
#pragma once

#include "skb.h"

#include "lib/net/packet_wire.h"
#include "lib/core/tracepoint.h"

#define DEVICE_SLOTS 256 /* NETDEV_HASHENTRIES */
#define DEVICES_OF_ONE_SLOT 16
#define MOST_IFINDEX (1 << 24)

/* Nothing is calculated with a pointer that the verifier knows, but it may be compared: kernel addresses are negative. */
static __always_inline bool is_kernel_address(const void *address)
{
	return (long)address < 0;
}

static __always_inline __u32 net_inode(const bool typed, struct net *net)
{
	return LOAD(net, ns.inum);
}

/* Is it a device? What else may be there is a number, or the address of another packet. */
static __always_inline bool is_device(const bool typed, struct net_device *dev)
{
	__u32 ifindex;

	if (!is_kernel_address(dev))
		return false;
	ifindex = LOAD(dev, ifindex);
	return ifindex && ifindex < MOST_IFINDEX && is_kernel_address(LOAD(dev, nd_net.net));
}

/* The address of the namespace's device with this number; 0: none. */
static __always_inline __u64 device_of_net(__u64 net, __u32 ifindex)
{
	__u64 heads = (__u64)BPF_CORE_READ((struct net *)net, dev_index_head);
	__u64 node = 0;
	int i;

	bpf_probe_read_kernel(&node, sizeof(node),
			      (void *)(heads + (ifindex & (DEVICE_SLOTS - 1)) * sizeof(node)));
	for (i = 0; i < DEVICES_OF_ONE_SLOT && node; i++) {
		__u64 dev = node - bpf_core_field_offset(struct net_device, index_hlist);

		if (BPF_CORE_READ((struct net_device *)dev, ifindex) == ifindex)
			return dev;
		node = (__u64)BPF_CORE_READ((struct hlist_node *)node, next);
	}
	return 0;
}

/* The namespace of the socket that it is for or from, or of its route; 0: not known. By probe reads: it is calculated with. */
static __always_inline __u64 net_of_packet(const bool typed, struct sk_buff *skb, struct sock *sk)
{
	__u64 dst;

	if (!sk)
		sk = LOAD(skb, sk);
	if (sk)
		return (__u64)BPF_CORE_READ(sk, __sk_common.skc_net.net);
	dst = LOAD(skb, _skb_refdst) & ~1ULL;
	if (!dst)
		return 0;
	return (__u64)BPF_CORE_READ((struct dst_entry *)dst, dev, nd_net.net);
}

static __always_inline void fill_lost_device(const bool typed, struct sk_buff *skb, struct sock *sk,
					     struct packet *p)
{
	__u64 net = net_of_packet(typed, skb, sk), dev;

	p->ifindex = LOAD(skb, skb_iif);
	if (!net)
		return;
	p->netns = BPF_CORE_READ((struct net *)net, ns.inum);
	dev = p->ifindex ? device_of_net(net, p->ifindex) : 0;
	if (dev)
		bpf_core_read(p->dev, sizeof(p->dev), &((struct net_device *)dev)->name);
}

/* Without the name, which packet_name_device() reads: the numbers are what filters ask for. */
static __always_inline void packet_fill_device(const bool typed, struct sk_buff *skb, struct sock *sk,
					       struct packet *p)
{
	struct net_device *dev = LOAD(skb, dev);
	struct net *net;

	if (!is_device(typed, dev)) {
		fill_lost_device(typed, skb, sk, p);
		return;
	}
	net = LOAD(dev, nd_net.net);
	p->ifindex = LOAD(dev, ifindex);
	p->netns = net_inode(typed, net);
}

/* `name` is of 16 bytes, and aligned. */
static __always_inline void device_name(const bool typed, struct net_device *dev, void *name)
{
	__u64 words[2];

	if (typed) {
		words[0] = *(__u64 *)&dev->name[0];
		words[1] = *(__u64 *)&dev->name[8];
		__builtin_memcpy(name, words, sizeof(words));
	} else {
		bpf_core_read(name, sizeof(words), &dev->name);
	}
}

static __always_inline void packet_name_device(const bool typed, struct sk_buff *skb, struct packet *p)
{
	struct net_device *dev = LOAD(skb, dev);

	if (!p->dev[0] && is_kernel_address(dev))
		device_name(typed, dev, p->dev);
}
