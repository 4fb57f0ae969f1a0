/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sockets: include/net/sock.h, inet_sock.h, linux/tcp.h, udp.h, in6.h, net.h, socket.h, net_namespace.h */
#pragma once

#include "core.h"

struct in6_addr {
	union {
		__u8 u6_addr8[16];
	} in6_u;
} CORE;

struct net;

struct sock_common {
	__u64 skc_addrpair; /* __be32: remote, local */
	__u32 skc_portpair; /* __be16: remote; __u16: local, 0 once it was given back, as at the change to CLOSE */
	unsigned short skc_family;
	unsigned char skc_state;
	unsigned long skc_flags; /* 1 << SOCK_* */
	struct {
		__s64 counter;
	} skc_cookie; /* of this socket alone; 0 until somebody asks for it, as sock_diag does */
	struct {
		struct net *net;
	} skc_net;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
} CORE;

struct socket;
struct sk_buff;

/* Who waits for the socket, by whatever call: a thread, or an epoll. */
struct socket_wq {
	struct {
		struct {
			void *next; /* the head itself: nobody */
		} head;
	} wait;
} CORE;

struct sock {
	struct sock_common __sk_common;
	struct socket *sk_socket; /* NULL before accept(), and after close() */
	struct socket_wq *sk_wq; /* the same */
	struct {
		int owned; /* a task holds the socket: the current one, wherever its state changes */
	} sk_lock;
	__u16 sk_type;
	__u16 sk_protocol;
	struct {
		struct sk_buff *next, *prev; /* the head itself: it is empty */
	} sk_receive_queue;
	__u8 sk_shutdown;	 /* RCV_SHUTDOWN: there is no more to be read, SHUTDOWN_MASK: nor to be written */
	struct pid *sk_peer_pid; /* of a unix socket that was accepted: who has connected */
	int sk_err;
	__u32 sk_ack_backlog; /* of a listening socket: in its accept queue */
	__u32 sk_max_ack_backlog; /* as given to listen(); of an accepted one its listener's */
	struct {
		int counter;
	} sk_drops;
	struct {
		__u32 val;
	} sk_uid; /* of the file; a child has its listener's until it is accepted */
} CORE;

struct udp_sock {
	int pending; /* a family: what was sent is held until the rest of the datagram comes */
	struct {
		struct sk_buff *next, *prev;
	} reader_queue; /* what a reader has moved out of sk_receive_queue, to read it */
} CORE;

/* 6.18 (b650bf0977d3): packets come to a queue several at once. What was read is freed by the CPU that made it since then, too. */
struct udp_prod_queue {
	struct {
		void *first;
	} ll_root;
} CORE;

struct inet_sock {
	__be16 inet_sport;
} CORE;

#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define MSG_PEEK 2
#define RCV_SHUTDOWN 1
#define SHUTDOWN_MASK 3

enum sock_flags {
	SOCK_DONE = 1, /* the other end's FIN was received */
};

struct minmax_sample {
	__u32 t;
	__u32 v;
} CORE;

struct minmax {
	struct minmax_sample s[3];
} CORE;

struct socket {
	struct sock *sk; /* NULL once it is closed */
} CORE;

struct request_sock_queue {
	struct {
		int counter;
	} qlen; /* SYNs that were answered, and no more */
} CORE;

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	struct request_sock_queue icsk_accept_queue;
} CORE;

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	__u64 bytes_received; /* with one for a FIN */
	__u64 bytes_acked;    /* with one for a SYN */
	__u64 tcp_mstamp;     /* CLOCK_MONOTONIC in microseconds: the last segment that came or went */
	__u64 bytes_sent;     /* without SYN and FIN, with what was sent again */
	__u64 bytes_retrans;
	__u32 total_retrans; /* segments */
	__u32 srtt_us;	     /* eight times the smoothed round-trip time */
	__u32 snd_cwnd;	     /* segments */
	__u32 snd_una;	     /* up to there all is acknowledged */
	struct {
		__u32 rtt_us; /* the last sample; 0 before the first */
	} rack;
	struct minmax rtt_min; /* microseconds, ~0 before the first */
	struct {
		__u64 time; /* CLOCK_MONOTONIC in microseconds: established, or a later read */
	} rcvq_space;
} CORE;
