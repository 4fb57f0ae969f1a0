/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* TCP's part of a packet and of a socket: include/net/tcp.h, inet_connection_sock.h, request_sock.h, linux/tcp.h */
#pragma once

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "core.h"

#include "net.h"

struct sk_buff;

/* The place where each protocol keeps what is its own. */
struct sk_buff___tcp {
	char cb[48];
} CORE;

struct tcp_skb_cb {
	__u32 seq;
	__u32 end_seq; /* with one for a SYN or FIN */
	__u16 tcp_gso_segs; /* how many packets it is */
	__u32 ack_seq;
} CORE;

/* Reads a field of TCP's part of a packet; not 0: it cannot be read. */
#define tcp_skb_read(to, skb, field)                                                               \
	bpf_probe_read_kernel(to, sizeof(*(to)),                                                   \
			      (void *)(skb) + bpf_core_field_offset(struct sk_buff___tcp, cb) +    \
				      bpf_core_field_offset(struct tcp_skb_cb, field))
