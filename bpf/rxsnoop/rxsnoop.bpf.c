// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets as the kernel gets them from a device, one by one, or counted, or their sizes. */
#include "core.h"

#include "lib/core/filter.h"
#include "lib/core/hist.h"
#include "lib/net/packet_device.h"
#include "lib/net/packet_filter.h"
#include "lib/core/table.h"
#include "rxsnoop.h"

const volatile __u32 view;
const volatile bool by_device; /* sizes */
const volatile bool plain;     /* sizes of all packets together: nothing else has to be asked */

TABLE(packets, struct rx_key, struct rx_count, 16384);
HISTS(sizes, 1);
HIST_BY(sizes_by, struct rx_size_key, 16384);

/* Segments of one packet, as TCP's that came one after the other. */
static __always_inline __u32 segments_of(const bool typed, struct sk_buff *skb)
{
	struct skb_shared_info *shared = (void *)(LOAD(skb, head) + LOAD(skb, end));
	__u16 segments = 0;

	bpf_core_read(&segments, sizeof(segments), &shared->gso_segs);
	return segments ?: 1;
}

static __always_inline void send(const bool typed, struct sk_buff *skb, struct net_device *dev,
				 const struct packet *p, const struct packet_reader *r)
{
	const __u64 size = packet_headers ? sizeof(struct rx_event) : PACKET_BYTES_WITHOUT_HEADERS(struct rx_event);
	struct rx_event *e = emit_reserve(size);

	if (!e)
		return;
	e->ts_ns = bpf_ktime_get_ns();
	e->packet = *p;
	device_name(typed, dev, e->packet.dev);
	e->segments = segments_of(typed, skb);
	e->cpu = bpf_get_smp_processor_id();
	if (packet_headers) {
		e->header_bytes = packet_copy_headers(r, p, &e->headers);
	} else {
		e->header_bytes = 0;
		__builtin_memset(e->headers, 0, 4);
	}
	emit_submit(e, size);
}

static __always_inline void count(const bool typed, struct sk_buff *skb, struct net_device *dev,
				  const struct packet *p)
{
	struct rx_key key = {
		.ethertype = p->ethertype,
		.protocol = p->protocol,
		.ifindex = p->ifindex,
		.netns = p->netns,
	};
	const struct rx_count zero = {};
	struct rx_count *n;

	device_name(typed, dev, key.dev);
	n = table_find(&packets, &key, &zero);
	if (!n)
		return;
	__sync_fetch_and_add(&n->packets, 1);
	__sync_fetch_and_add(&n->segments, segments_of(typed, skb));
	__sync_fetch_and_add(&n->bytes, p->bytes);
}

static __always_inline void add_size(const bool typed, struct net_device *dev, const struct packet *p)
{
	struct rx_size_key key = {.ifindex = p->ifindex, .netns = p->netns, .slot = hist_slot(p->bytes)};

	if (!by_device) {
		hist_add(&sizes, p->bytes);
		return;
	}
	device_name(typed, dev, key.dev);
	hist_add_by(&sizes_by, &key, p->bytes);
}

/* The layers above have not looked at it yet: the network header is where the data begins. */
TRACEPOINT(netif_receive_skb, struct sk_buff *skb)
{
	struct net_device *dev = LOAD(skb, dev);
	struct packet_reader r = {};
	struct packet p = {};
	struct net *net;
	__u32 at;

	if (plain) {
		hist_add(&sizes, LOAD(skb, len));
		return 0;
	}
	p.ifindex = LOAD(dev, ifindex);
	if (packet_ifindex && p.ifindex != packet_ifindex)
		return 0;
	net = LOAD(dev, nd_net.net);
	p.netns = LOAD(net, ns.inum);
	if (packet_netns && p.netns != packet_netns)
		return 0;
	if (task_filtered && !filter_passes())
		return 0;
	at = LOAD(skb, data) - LOAD(skb, head);
	if (view != RX_SIZES || packet_headers_filtered())
		r = packet_parse(typed, skb, at, view == RX_LIST || packet_by_ports, &p);
	else
		p.bytes = LOAD(skb, len);
	if (!packet_passes(&p))
		return 0;
	if (view == RX_LIST)
		send(typed, skb, dev, &p, &r);
	else if (view == RX_RATE)
		count(typed, skb, dev, &p);
	else
		add_size(typed, dev, &p);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
