/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The queue of a socket that sampled datagrams come to, and who reads them. From 6.3 on the socket tells that something has come, and
 * of each read. Neither says which packet: so those of a queue are numbered, and what is in no list after a read was read.
 */
#pragma once

#include "core.h"
#include "net.h"
#include "skb.h"

#include "connections.h"
#include "datagrams.h"
#include "readers.h"

#define QUEUE_TAIL 16 /* packets that a socket may be told of at once */
#define QUEUE_TRIES 8 /* places in a queue that another CPU may have, or has emptied */
#define CPUS 4	      /* of those that deliver to one port at a time: more overwrite each other's */

/* The numbers of the packets in a queue: from `first` on, before `next`. */
struct queue {
	__u32 first, next;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, DATAGRAMS);
	__type(key, __u64);
	__type(value, struct queue);
} queues SEC(".maps");

/* The packet that a CPU delivers, by port. It may be in a socket's queue, and be read by another CPU, before anybody tells of it. */
static __u64 arriving[SLOTS][CPUS];

static __always_inline __u64 *arriving_at(__u32 port)
{
	return &arriving[port & (SLOTS - 1)][bpf_get_smp_processor_id() & (CPUS - 1)];
}

/* A device of this machine has it, and the socket's queue is next. */
static __always_inline void deliver_datagram(__u64 skb, __u32 port)
{
	if (reads_are_told)
		*arriving_at(port) = skb;
	else
		*arriving_here() = bpf_ktime_get_ns() + WAKE_NS;
}

static __always_inline bool number_datagram(__u64 sk, __u64 skb, struct datagram *d)
{
	struct queue fresh = {}, *q = bpf_map_lookup_elem(&queues, &sk);
	struct queue_place at = {.sock = sk};
	int i;

	if (!q) {
		bpf_map_update_elem(&queues, &sk, &fresh, BPF_NOEXIST);
		q = bpf_map_lookup_elem(&queues, &sk);
	}
	if (!q)
		return false;
	count_open(address_slot(sk), 1);
	for (i = 0; i < QUEUE_TRIES; i++) {
		at.number = q->next + i;
		if (bpf_map_update_elem(&queued, &at, &skb, BPF_NOEXIST))
			continue;
		q->next = at.number + 1;
		d->reader = sk;
		d->place = at.number;
		d->stage = STAGE_QUEUED;
		return true;
	}
	count_open(address_slot(sk), -1);
	return false;
}

__noinline int queue_datagram(__u64 sk, __u64 skb)
{
	struct datagram *d = datagram_of(skb);

	if (!d || d->stage != STAGE_RECEIVED)
		return 0;
	emit_datagram(SEND_SOCKET, skb, d, false, 0);
	if (!number_datagram(sk, skb, d))
		count_loss(LOSS_STREAMS_FULL);
	if (sock_is_awaited((void *)sk))
		*arriving_here() = bpf_ktime_get_ns() + WAKE_NS;
	return 0;
}

/*
 * The last packets of the socket's queue, in their order: since 6.18 it is told of several at once, and by the CPU of another one's
 * delivery. One that is in it no more has been read (read_early).
 */
__noinline int queue_datagrams(__u64 sk)
{
	__u64 head = sk + bpf_core_field_offset(struct sock, sk_receive_queue), last[QUEUE_TAIL];
	struct sk_buff *skb = BPF_CORE_READ((struct sock *)sk, sk_receive_queue.prev);
	int i;

	for (i = 0; i < QUEUE_TAIL; i++) {
		if ((__u64)skb == head)
			skb = NULL;
		last[i] = (__u64)skb;
		if (skb)
			skb = BPF_CORE_READ(skb, prev);
	}
	for (i = QUEUE_TAIL - 1; i >= 0; i--)
		if (last[i] && open_at[address_slot(last[i])])
			queue_datagram(sk, last[i]);
	return 0;
}

/* In the order of the queue, as it is read. */
static __always_inline void read_queue(__u64 sk)
{
	struct queue *q = bpf_map_lookup_elem(&queues, &sk);
	struct queue_place at = {.sock = sk};
	struct datagram *d;
	__u64 *skb;
	int i;

	for (i = 0; q && i < QUEUE_TRIES && q->first != q->next; i++) {
		at.number = q->first;
		skb = bpf_map_lookup_elem(&queued, &at);
		d = skb ? datagram_of(*skb) : NULL;
		if (d && d->reader == sk && d->place == at.number) {
			if (!was_read(*skb))
				return;
			read_datagram(*skb);
		}
		q->first = at.number + 1;
	}
}

/* What was read before the CPU that delivered it has told that it was queued. */
static __always_inline void read_early(__u32 port)
{
	struct datagram *d;
	__u64 skb;
	int i;

	for (i = 0; i < CPUS; i++) {
		skb = arriving[port & (SLOTS - 1)][i];
		d = skb && open_at[address_slot(skb)] ? datagram_of(skb) : NULL;
		if (d && d->stage != STAGE_SENDING && d->port == port && was_read(skb))
			read_datagram(skb);
	}
}

/* After a read, in the reader. */
__noinline int read_socket(__u64 sk)
{
	if (open_at[address_slot(sk)])
		read_queue(sk);
	read_early(BPF_CORE_READ((struct sock *)sk, __sk_common.skc_portpair) >> 16);
	return 0;
}
