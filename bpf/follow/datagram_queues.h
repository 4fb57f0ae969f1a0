/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The queue of a socket that sampled datagrams come to, and who reads them. Until 6.17 the reader itself frees what it has read, and
 * where functions may be traced skb_consume_udp() tells. Else the socket tells of each read, but neither which packet that was, nor
 * which one has come: so those of a queue are numbered, and of those that have left it the first is read that has the size of the read.
 */
#pragma once

#include "core.h"
#include "net.h"
#include "skb.h"

#include "connections.h"
#include "datagrams.h"
#include "readers.h"

#define QUEUE_TAIL 8  /* packets that a socket may be told of at once */
#define QUEUE_TRIES 16 /* places in a queue that are looked at */
#define COPY_NS 10000000 /* it takes a reader less from the queue to the end of its call */

const volatile __u32 reads_told = READ_BY_FREE; /* enum read_teller */
const volatile bool receiving; /* follow recv --udp */
const volatile bool arrivals_told; /* sk_data_ready is there: 6.3 */

/* The numbers of the packets in a queue: from `first` on, before `next`. */
struct queue {
	__u64 first, next;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, DATAGRAMS);
	__type(key, __u64);
	__type(value, struct queue);
} queues SEC(".maps");

/* The packet that this CPU delivers, until the next one. */
static __u64 delivered[1024];

static __always_inline __u64 *delivered_here(void)
{
	return &delivered[bpf_get_smp_processor_id() & 1023];
}

/* The last read of a socket: what is read at once is told before anybody has told that it was queued. */
static struct last_read {
	__u64 sock;
	__u64 ts_ns;
	__u64 pid_tgid;
	__u64 bytes;
	__u64 flags; /* RECV_OTHERS */
	char comm[16];
} last_reads[SLOTS];

static __always_inline struct last_read *last_read_of(__u64 sk)
{
	return &last_reads[address_slot(sk)];
}

/* The same as emit_read(), of another thread and an earlier time. */
static __always_inline void emit_last_read(__u64 skb, const struct datagram *d, const struct last_read *read)
{
	struct recv_hop *r = new_recv(RECV_READ, skb, d->lo, d->hi);

	if (!r)
		return;
	r->hop.ts_ns = read->ts_ns;
	r->hop.tgid = read->pid_tgid >> 32;
	r->hop.tid = read->pid_tgid;
	r->hop.flags = read->flags;
	__builtin_memcpy(r->hop.comm, read->comm, sizeof(r->hop.comm));
	emit_reader(r, d->sample, read->pid_tgid);
}

/* ---- what comes */

/* A device of this machine has it, and the queue of a socket may be next. */
static __noinline int deliver_datagram(__u64 skb)
{
	struct datagram *d = datagram_of(skb);

	if (!d)
		return 0;
	d->stage = STAGE_RECEIVED;
	d->received_ns = bpf_ktime_get_ns();
	if (arrivals_told)
		*delivered_here() = skb;
	else
		arriving_here()->until = d->received_ns + WAKE_NS;
	return 1;
}

static __always_inline __u64 device_of(__u64 skb)
{
	return (__u64)BPF_CORE_READ((struct sk_buff *)skb, dev);
}

/* Its sample is this packet: no other one, that was read unseen and had this address, as one that a device receives twice is. */
static __always_inline bool is_moving(const struct datagram *d, __u64 skb)
{
	return d->stage == STAGE_SENDING || (d->stage == STAGE_RECEIVED && d->dev != device_of(skb));
}

/* What was in a tunnel is another packet, at the same address. */
static __always_inline bool is_of_size(__u64 skb, __u32 bytes)
{
	struct sk_buff *packet = (void *)skb;
	struct segment s = {};
	__u32 at = BPF_CORE_READ(packet, data) - BPF_CORE_READ(packet, head);

	return datagram_parse(false, packet, at, &s) && s.seq == bytes;
}

/* Of a datagram the last packet is what it becomes: the others are a part of it, and freed unseen. */
static __noinline int receive_datagram(__u64 skb)
{
	struct datagram *d = followed_datagram(skb);

	if (!d)
		return 0;
	if (!is_moving(d, skb))
		return forget_datagram(skb);
	if (receiving && !is_of_size(skb, d->hi))
		return end_datagram(skb, SEND_DONE, 0);
	pass_datagram(skb, SEND_RECEIVE, STAGE_RECEIVED);
	d = datagram_of(skb); /* NULL: it was forgotten */
	if (!d)
		return 0;
	d->dev = device_of(skb);
	if (d->is_fragment)
		return end_datagram(skb, SEND_JOINED, 0);
	return deliver_datagram(skb);
}

static __always_inline struct queue *queue_of(__u64 sk)
{
	struct queue fresh = {}, *q = bpf_map_lookup_elem(&queues, &sk);

	if (q)
		return q;
	bpf_map_update_elem(&queues, &sk, &fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&queues, &sk);
}

/* Its number is in it before others can find it by that. */
static __always_inline bool number_datagram(__u64 sk, __u64 skb, struct datagram *d)
{
	struct queue *q = queue_of(sk);
	struct queue_place at = {.sock = sk};
	int i;

	if (!q)
		return false;
	d->reader = sk;
	count_open(address_slot(sk), 1);
	for (i = 0; i < QUEUE_TRIES; i++) {
		d->place = at.number = q->next + i;
		if (bpf_map_update_elem(&queued, &at, &skb, BPF_NOEXIST))
			continue;
		if (q->next <= at.number)
			q->next = at.number + 1;
		if (!datagram_of(skb)) /* others have ended it meanwhile */
			leave_queue(sk, at.number);
		return true;
	}
	d->reader = 0;
	count_open(address_slot(sk), -1);
	return false;
}

/* It has left the queue, and the last read of its socket was about it: that came before others could know its number. */
static __always_inline void read_early(__u64 sk, __u64 skb, const struct datagram *d)
{
	struct last_read *read = last_read_of(sk);
	struct datagram old;

	if (is_linked(skb) || read->sock != sk || read->ts_ns < d->received_ns || read->bytes != d->hi ||
	    !remove_datagram(skb, &old))
		return;
	emit_last_read(skb, &old, read);
	read->sock = 0;
}

__noinline int queue_datagram(__u64 sk, __u64 skb)
{
	struct datagram *d = datagram_of(skb);
	__u32 one = 1;
	int result;

	if (!d || d->stage != STAGE_RECEIVED || !was_queued(skb))
		return 0;
	result = bpf_map_update_elem(&queueing, &skb, &one, BPF_NOEXIST);
	if (result) {
		if (result != -EEXIST)
			count_loss(LOSS_STREAMS_FULL);
		return 0;
	}
	d = datagram_of(skb);
	if (!d) { /* others have ended it meanwhile */
		bpf_map_delete_elem(&queueing, &skb);
		return 0;
	}
	d->stage = STAGE_QUEUED;
	emit_datagram(SEND_SOCKET, skb, d, false, 0);
	expect_reader(sk, 0, 0);
	if (reads_told != READ_BY_SOCKET)
		return 0;
	if (!number_datagram(sk, skb, d))
		count_loss(LOSS_STREAMS_FULL);
	read_early(sk, skb, d);
	return 0;
}

/* The last packets of a list, in their order. */
__noinline int queue_tail(__u64 sk, __u64 head)
{
	struct sk_buff *skb = BPF_CORE_READ((struct sk_buff *)head, prev);
	__u64 last[QUEUE_TAIL];
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

/*
 * Something has come to a socket. Since 6.18 that is told of several packets at once, by the CPU of one of them; a reader may have moved
 * them on to its own list, or have read them.
 */
__noinline int queue_datagrams(__u64 sk)
{
	__u32 port = sock_port(sk);
	__u64 one = *delivered_here();
	struct datagram *d = one && open_at[address_slot(one)] ? datagram_of(one) : NULL;

	*delivered_here() = 0;
	if (d && d->port == port)
		queue_datagram(sk, one);
	queue_tail(sk, sk + bpf_core_field_offset(struct udp_sock, reader_queue));
	queue_tail(sk, sk + bpf_core_field_offset(struct sock, sk_receive_queue));
	return 0;
}

/* ---- what is read */

/* By whoever frees it, where that is the reader; a reader in the kernel may not be told of otherwise. */
__noinline int free_datagram(__u64 skb)
{
	struct datagram *d = followed_datagram(skb);

	if (!d)
		return 0;
	if (d->stage == STAGE_QUEUED && !was_queued(skb))
		return forget_datagram(skb);
	if (d->stage != STAGE_SENDING && was_queued(skb))
		return reads_told == READ_BY_SOCKET ? 0 : read_datagram(skb);
	return end_datagram(skb, SEND_DONE, 0);
}

/* By functions: a read, or a look at it (MSG_PEEK), which leaves it in its list. */
static __noinline int consume_datagram(__u64 skb)
{
	return may_be_followed(skb) && !is_linked(skb) ? read_datagram(skb) : 0;
}

/* The datagram at a number, if it is there still, and its packet. */
static __always_inline struct datagram *datagram_at(__u64 sk, __u64 number, __u64 *skb)
{
	struct queue_place at = {.sock = sk, .number = number};
	__u64 *known = bpf_map_lookup_elem(&queued, &at);
	struct datagram *d;

	if (!known)
		return NULL;
	*skb = *known;
	d = datagram_of(*skb);
	if (d && d->reader == sk && d->place == number)
		return d;
	leave_queue(sk, number);
	return NULL;
}

/* One that left the queue long ago was read by a call whose end no program saw. */
static __always_inline bool is_stale(struct datagram *d, __u64 now_ns)
{
	if (!d->unlinked_ns)
		d->unlinked_ns = now_ns;
	return now_ns - d->unlinked_ns > COPY_NS;
}

/* So many have left the queue, and no read was theirs: no program saw those of the first. They are given up, so that others are found. */
__noinline int forget_first(__u64 sk, __u64 first)
{
	__u64 skb;
	int i;

	for (i = 0; i < QUEUE_TRIES / 2; i++) {
		if (datagram_at(sk, first + i, &skb) && !is_linked(skb))
			forget_datagram(skb);
	}
	return 0;
}

/*
 * The one that a read of `bytes` was about, of those that have left the queue; another reader may be at others. 0: none, as when it was
 * cut off for want of room.
 */
static __always_inline __u64 find_read(__u64 sk, struct queue *q, __u64 bytes)
{
	__u64 skb, now_ns = bpf_ktime_get_ns(), number = q->first;
	struct datagram *d;
	int i;

	for (i = 0; i < QUEUE_TRIES && number < q->next; i++, number++) {
		d = datagram_at(sk, number, &skb);
		if (!d) {
			if (q->first == number)
				q->first = number + 1;
			continue;
		}
		if (is_linked(skb)) /* the next ones may be before it in the queue: CPUs number what comes at a time as it happens */
			continue;
		if (d->hi == bytes)
			return skb;
		if (is_stale(d, now_ns))
			forget_datagram(skb);
	}
	if (i == QUEUE_TRIES)
		forget_first(sk, q->first);
	return 0;
}

/* The end of a read, in its thread. It is kept before the queue is looked at, as read_early() looks after a packet has its number. */
__noinline int read_socket(__u64 sk, __u64 bytes)
{
	struct last_read *read = last_read_of(sk);
	struct queue *q;
	__u64 skb;

	read->ts_ns = bpf_ktime_get_ns();
	read->pid_tgid = bpf_get_current_pid_tgid();
	read->bytes = bytes;
	read->flags = filter_passes() ? 0 : RECV_OTHERS;
	bpf_get_current_comm(read->comm, sizeof(read->comm));
	read->sock = sk;
	q = open_at[address_slot(sk)] ? bpf_map_lookup_elem(&queues, &sk) : NULL;
	skb = q ? find_read(sk, q, bytes) : 0;
	if (!skb)
		return 0;
	read->sock = 0;
	return read_datagram(skb);
}
