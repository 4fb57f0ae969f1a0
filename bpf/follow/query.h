/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What bpf/follow/follow_query.bpf.c tells src/follow/query: what happens to sampled requests to a server, and to the
 * threads that serve and send them. A connection is chosen at its server's socket, or at its client's (QUERY_FROM_CLIENT). Times
 * are CLOCK_MONOTONIC; sequence numbers are modulo 1 << 32, of the request or of the answer; those of a unix socket, which has none, count
 * from 0 in each sample.
 */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/net/sock_wire.h"

enum query_kind {
	/* The request, at the server's socket. */
	QUERY_ARRIVE = 1, /* a struct query_start: a request was sampled; [lo, hi) of it reached TCP */
	QUERY_MORE,	  /* further bytes of it, up to hi, before any of the answer; after QUERY_CLIENT_SEND the first ones, too */
	QUERY_READ,	  /* all before hi, by a thread of the server */
	/* The answer: all before hi. */
	QUERY_SEND, /* was given to the device; flags: QUERY_BY_TASK */
	QUERY_RETRANSMIT,
	QUERY_RECEIVE,	   /* reached the client's TCP, where that is on this machine */
	QUERY_CLIENT_READ, /* was read there */
	QUERY_ACK,	   /* is acknowledged, and nothing more was written */
	/* The end. */
	QUERY_NEXT,  /* the next request reached the server, or left the client */
	QUERY_CLOSE, /* the chosen socket ended; result: its error */
	/* Of a thread that serves a sampled request, whichever it is; id is 0. */
	QUERY_WAIT,  /* it was off its CPU from out_ns to ts_ns, and woken at wake_ns */
	QUERY_WAKE,  /* it woke other_tid, which may serve for it from now on */
	QUERY_OTHER, /* it read from or sent to another client; sock is that connection's */
	/* Of any connection; id is 0. */
	QUERY_PREPARE, /* a struct query_words: a statement is prepared */
	/* The request, at the client's socket, where that is on this machine. */
	QUERY_CLIENT_SEND,   /* a struct query_start, in place of QUERY_ARRIVE: [lo, hi) of it were given to the device; who by: tid, if not 0 */
	QUERY_CLIENT_MORE, /* where it was chosen there: further bytes of it, up to hi, or what they are; on a unix socket who has sent it */
	QUERY_DELIVER, /* at the server: what arrived woke other_tid, which may read it; tid is 0 */
	/* Of a thread that serves a sampled request, again. */
	QUERY_UPSTREAM_SEND, /* a struct query_upstream: it sent to a socket that is no client's; flags: QUERY_FIRST */
	QUERY_UPSTREAM_READ, /* the same: it has read from one, whose last segment came at wake_ns */
	QUERY_BLOCK, /* a struct query_block: this request completed, which it has submitted, or woke it by that */
	/* Of any connection, again. */
	QUERY_PREPARED, /* a struct query_words: how the answer to that begins, which MySQL has numbered */
	QUERY_KINDS,
};

enum query_flag {
	QUERY_BY_TASK = 1, /* QUERY_SEND: by the thread, within its call; else by TCP, which held the bytes back */
	/* QUERY_WAIT */
	QUERY_PREEMPTED = 2, /* it could have run on */
	QUERY_IO = 4,	     /* as the kernel counts it */
	QUERY_DEEP = 8,	     /* not interruptible */
	/* QUERY_READ, QUERY_CLIENT_MORE, QUERY_PREPARE, QUERY_PREPARED */
	QUERY_HAS_WORDS = 16, /* it is a struct query_words */
	QUERY_VALUES = 32,    /* and a label may have the values in them */
	/* QUERY_WAIT, again */
	QUERY_QUOTA = 128,  /* while it could run its cgroup had used up its quota */
	QUERY_MEMORY = 256, /* it slept for want of memory */
	QUERY_BY_WAKER = 1024, /* who woke it did so by its own call, not by an interrupt that it met */
	/* QUERY_UPSTREAM_SEND */
	QUERY_FIRST = 512, /* nothing was sent or read on the connection before */
	/* QUERY_CLIENT_SEND */
	QUERY_FROM_CLIENT = 64, /* the connection was chosen at the client's socket: only what reaches that is known for certain */
};

struct query_hop {
	__u64 ts_ns;
	__u64 id;	/* of the sample */
	__u64 sock;	/* the chosen one: an identity while it lives */
	__u64 out_ns;	/* QUERY_WAIT; as wake_ns where it slept before it was known; QUERY_PREPARED: ts_ns of what prepared it */
	__u64 wake_ns;	/* 0: not seen */
	__u64 arrivals; /* of the thread on a CPU, as the kernel counts them: those that were not seen show */
	__s64 result;
	__u32 lo, hi;
	__u32 kind;
	__u32 flags;
	__u32 cpu;
	__u32 tgid;
	__u32 tid;
	/* QUERY_WAIT: the system call that it slept in; QUERY_WAKE: in which it did so; -1: none, but a page fault or interrupt; QUERY_NO_CALL */
	__s32 call;
	__s32 other_call; /* the same of who woke it */
	__u32 other_tgid;
	__u32 other_tid;
	__u32 min_rtt_us; /* QUERY_RECEIVE of a connection that was chosen at the client's: as TCP has it there; ~0: none yet */
	char comm[16];	     /* not of QUERY_WAIT */
	char other_comm[16]; /* QUERY_WAIT, QUERY_BLOCK */
};

#define QUERY_PATH 108

struct query_start {
	struct query_hop hop;
	struct sock_ends ends; /* the server's; of a unix socket all 0 */
	__u32 answer; /* sequence number of the answer's first byte */
	char path[QUERY_PATH]; /* of a unix socket, as its server has named it; else empty */
};

/* hop.sock is this machine's end of the connection to the other server. */
struct query_upstream {
	struct query_hop hop;
	struct sock_ends ends;
};

/*
 * To a disk. hop.other_tid submitted it, the driver had it at hop.out_ns, and it completed at hop.wake_ns; the first two are 0 if that was not
 * seen, and the former of a flush.
 */
struct query_block {
	struct query_hop hop;
	__u64 sector;
	__u32 dev; /* of the whole disk */
	__u32 bytes; /* 0: of a flush */
	__u32 opf;
	__u32 zero;
};

#define QUERY_WORDS 128
#define QUERY_MOST_WORDS 1024 /* of a batch of redis, whose commands are counted, and of HTTP, for its headers */

/* With the bytes that were read; they are in no recording, a label made of them is. */
struct query_words {
	struct query_hop hop;
	__u32 from; /* of the request, bytes that were read before */
	__u32 n;    /* bytes read now */
	__u32 size; /* bytes that follow: what the buffer of the thread begins with, with what its call has read before */
	__u32 port; /* of the client; of a unix socket its process */
	char bytes[QUERY_MOST_WORDS];
};

#define QUERY_NO_CALL (-2) /* not known, or of a thread of the kernel */

enum query_loss {
	LOSS_EXCHANGES_FULL = LOSS_TOOL, /* more sampled connections at a time than room */
};

#ifdef __cplusplus
static_assert(sizeof(query_hop) == 136, "no padding");
static_assert(sizeof(query_start) == 136 + 40 + 4 + QUERY_PATH, "no padding");
static_assert(sizeof(query_upstream) == 136 + 40, "no padding");
static_assert(sizeof(query_block) == 136 + 24, "no padding");
static_assert(sizeof(query_words) == 136 + 16 + QUERY_MOST_WORDS, "no padding");
#endif
