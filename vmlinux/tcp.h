/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* TCP's part of a packet and of a socket: include/net/tcp.h, inet_connection_sock.h, request_sock.h, linux/tcp.h */
#pragma once

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "core.h"

#include "net.h"

#include "lib/core/tracepoint.h"

struct sk_buff;

/* The place where each protocol keeps what is its own. */
struct sk_buff___tcp {
	unsigned int len; /* in the queue of what may be sent again: of data alone */
	char cb[48];
} CORE;

struct tcp_skb_cb {
	__u32 seq;
	__u32 end_seq; /* with one for a SYN or FIN */
	__u16 tcp_gso_segs; /* how many packets it is */
	__u32 ack_seq;
} CORE;

/* What congestion control recovers from; Disorder, CWR and Open are 2, 1 and 0. */
#define TCP_CA_RECOVERY 3
#define TCP_CA_LOSS 4

#define ICSK_TIME_LOSS_PROBE 5

struct inet_connection_sock___timer {
	__u8 icsk_ca_state : 5;
	__u8 icsk_pending; /* which timer is set: ICSK_TIME_*; 0: none */
} CORE;

struct tcp_options_received {
	__u16 sack_ok : 3;
} CORE;

struct tcp_sock___options {
	struct tcp_options_received rx_opt;
	__u32 snd_una;
	__u32 snd_wnd;
	__u32 mss_cache;
	__u32 tlp_high_seq; /* 0: no probe is on its way */
} CORE;

/* What a sender has written, sent and may send, and what a receiver has read: sequence numbers. */
struct tcp_sock___bytes {
	__u32 write_seq;
	__u32 snd_una;
	__u32 snd_nxt;
	__u32 snd_wnd; /* from snd_una on */
	__u32 copied_seq;
	__u32 rcv_nxt; /* what came in order ends before it */
	__u32 packets_out;
	__u32 snd_cwnd; /* segments */
} CORE;

struct sock___send {
	struct sk_buff *sk_send_head;
} CORE;

/* Begins as a sock does. */
struct request_sock {
	struct sock_common __req_common;
	__u8 num_retrans;
} CORE;

/* 6.18 (6.12 does not) shows the tracepoint what did not leave, too, with its error as a third argument. */
struct trace_event_raw_tcp_retransmit_skb {
	int err;
} CORE;

static __always_inline __s32 retransmit_error(tp_ctx *ctx)
{
	if (!bpf_core_type_exists(struct trace_event_raw_tcp_retransmit_skb))
		return 0;
	return ctx[2];
}

/* Reads a field of TCP's part of a packet; not 0: it cannot be read. */
#define tcp_skb_read(to, skb, field)                                                               \
	bpf_probe_read_kernel(to, sizeof(*(to)),                                                   \
			      (void *)(skb) + bpf_core_field_offset(struct sk_buff___tcp, cb) +    \
				      bpf_core_field_offset(struct tcp_skb_cb, field))
