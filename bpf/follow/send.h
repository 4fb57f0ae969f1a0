/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What bpf/follow/follow_send.bpf.c and follow_datagram.bpf.c tell src/follow/send, recv and datagram: hops of sampled sends, or of
 * packets that arrive, each with the sequence numbers of the bytes. Times are CLOCK_MONOTONIC, ranges are half open.
 */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/net/sock_wire.h"

enum send_kind {
	/* The system call; id is the sample. */
	SEND_ENTER = 1, /* a struct send_start: a send was sampled; lo is its first byte */
	SEND_LEAVE,	/* result; [lo, hi) is what it queued */
	SEND_ABANDONED, /* the thread is in another call: the end of the sampled one was not seen */
	/* Segments of the sending end, at its device. */
	SEND_QUEUE, /* given to the device: its qdisc is next */
	SEND_XMIT,  /* given to the driver */
	SEND_RETRANSMIT,
	SEND_DROP, /* reason */
	/* The receiving end, where it is on this machine. */
	SEND_RECEIVE,	  /* by a device */
	SEND_TCP_RECEIVE, /* by TCP */
	SEND_READ,	  /* by the application: all before hi */
	SEND_PEER_CLOSE,  /* its socket ended; all before hi was read */
	/* The sending end again. */
	SEND_ACK,   /* all before hi */
	SEND_CLOSE, /* the socket ended; all before hi was acknowledged */
	SEND_RESET, /* result: enum send_resetter */
	/* A segment that is followed from its device on; sock is a number of its stream. */
	RECV_ARRIVE, /* a struct send_start: it was sampled; [lo, hi), dev */
	RECV_TCP,    /* a struct recv_hop: TCP takes [lo, hi) of the stream */
	RECV_READ,   /* a struct recv_hop: by the application, all before hi */
	/* Of a datagram (follow_datagram.bpf.c) id is the sample, sock the packet, [lo, hi) counts from its first byte. */
	SEND_PACKET,	/* a struct send_start: a packet of the sample, with its own ends; what becomes of it comes next */
	SEND_NEIGHBOUR, /* it waits for the link-layer address of who is next */
	SEND_SOCKET,	/* it lies in the queue of a socket */
	SEND_DONE,	/* it is no more: its device has sent it, or somebody in the kernel took it */
	SEND_JOINED,	/* a fragment: it becomes a part of the last one */
};

enum send_resetter {
	RESET_BY_PEER,	 /* a RST was received, by the followed end */
	RESET_BY_SENDER, /* this socket sent one */
	RESET_BY_READER, /* the receiving socket, on this machine, sent one */
};

/* SEND_LEAVE: what keeps bytes from being sent at its end. */
enum send_limit {
	LIMIT_NONE, /* all were sent */
	LIMIT_WINDOW, /* the receiver's */
	LIMIT_CWND,
	LIMIT_OTHER, /* cork, Nagle, pacing, or the device's queue */
};

enum send_flag {
	SEND_UNSURE = 1, /* SEND_LEAVE: others wrote meanwhile, or the bytes are not the stream's (kTLS) */
	SEND_GONE = 2,	 /* the sender's socket has ended, and its address may be another's */
	RECV_FILTERED = 4, /* RECV_ARRIVE: only those of certain readers are asked for */
	RECV_BACKLOG = 8,  /* RECV_TCP: it lay in the socket's backlog, while a thread worked on the socket */
	RECV_OTHERS = 16,  /* RECV_READ, SEND_PEER_CLOSE: not by a thread that was asked for, as far as is known */
	RECV_UNQUEUED = 64, /* RECV_ARRIVE: that it lies in a socket's queue is not told */
	SEND_CORKED = 32, /* SEND_LEAVE: UDP waits for more to put into the same datagram */
};

struct send_hop {
	__u64 ts_ns;
	__u64 id;
	__u64 sock; /* the sender's: an identity while it lives */
	__s64 result;
	__u32 lo, hi; /* sequence numbers, modulo 1 << 32 */
	__u32 kind;
	__u32 flags;
	__u32 limit;  /* send_limit */
	__u32 reason; /* SEND_DROP: enum skb_drop_reason of this kernel, or SEND_NO_REASON */
	__u32 call;   /* SEND_ENTER: the system call's number, 0 if not known */
	__u32 cpu;
	__u32 tgid;
	__u32 tid;
	char dev[16];
	char comm[16];
};

#define SEND_NO_REASON (~0U) /* before 5.17 */

struct send_start {
	struct send_hop hop;
	struct sock_ends ends;
};

struct recv_hop {
	struct send_hop hop;
	__u64 wake_ns; /* RECV_READ: when the reader was last woken by something that arrived for a followed stream; 0: not seen */
	__u64 run_ns;  /* the same: when it then had a CPU; 0: it was on one */
	__u32 next;    /* RECV_TCP: what the socket waits for: all before it had arrived */
	__u32 pad;
};

/* Who tells that a packet was read. */
enum read_teller {
	READ_BY_FREE,	  /* whoever frees it, which is the reader */
	READ_BY_SOCKET,	  /* sock_recv_length: the socket, and not which packet */
	READ_BY_FUNCTION, /* skb_consume_udp() */
};

enum send_loss {
	LOSS_SENDS_FULL = LOSS_TOOL, /* more sampled calls at a time than room */
	LOSS_STREAMS_FULL,	     /* a socket of a sample found no room; of UDP, a packet */
};

#ifdef __cplusplus
static_assert(sizeof(send_hop) == 104, "no padding");
static_assert(sizeof(send_start) == 104 + 40, "no padding");
static_assert(sizeof(recv_hop) == 104 + 24, "no padding");
#endif
