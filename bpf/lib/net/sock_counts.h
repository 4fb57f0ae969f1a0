/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What went over a TCP socket, as the kernel has counted it there: data, each byte once, without SYN and FIN. */
#pragma once

#include "lib/net/sock.h"

/* The kernel counts a FIN that was received as a byte. */
static __always_inline __u64 sock_received(const bool typed, struct sock *sk, struct tcp_sock *tp)
{
	bool fin = LOAD(sk, __sk_common.skc_flags) >> bpf_core_enum_value(enum sock_flags, SOCK_DONE) & 1;
	__u64 bytes = LOAD(tp, bytes_received);

	return bytes - (fin && bytes);
}

static __always_inline __u64 sock_sent(const bool typed, struct tcp_sock *tp, __u64 again_bytes)
{
	return LOAD(tp, bytes_sent) - again_bytes;
}
