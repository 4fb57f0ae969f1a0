/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A lookup that is under way, and what it asks for: a name, or an address. */
#pragma once

#include "gethostlatency.h"
#include "answer.h"
#include "lib/net/sock.h"
#include "lib/user/user_call.h"

/* gethostbyaddr(address, bytes, family); getnameinfo(socket address, bytes, ...); all others (name, ...) */
static __always_inline void save_question(struct lookup *l, struct pt_regs *ctx, __u32 call, bool narrow)
{
	l->at = user_arg(ctx, narrow, 0);
	l->family = 0;
	if (call == CALL_GETHOSTBYADDR || call == CALL_GETHOSTBYADDR_R)
		l->family = user_arg(ctx, narrow, 2);
	save_answer(l, ctx, call, narrow);
	l->read = false;
	l->name_bytes = 1;
	l->e.has_name = 0;
	l->e.addr_hi = 0;
	l->e.addr_lo = 0;
	l->e.name[0] = 0;
}

static __always_inline void read_name(struct lookup *l)
{
	long n = bpf_probe_read_user_str(l->e.name, sizeof(l->e.name), (void *)l->at);

	l->read = n >= 0;
	l->e.has_name = n >= 0;
	if (n > 0) /* 5.10 gives 0 for an empty one */
		l->name_bytes = n;
	else
		l->e.name[0] = 0;
}

static __always_inline void read_address(struct lookup *l)
{
	__u64 at = l->at, halves[2];
	__u16 family = l->family;
	__u32 address;

	if (l->e.call == CALL_GETNAMEINFO) {
		if (bpf_probe_read_user(&family, sizeof(family), (void *)at))
			return;
		at += family == AF_INET6 ? 8 : 4;
	}
	if (family == AF_INET && !bpf_probe_read_user(&address, sizeof(address), (void *)at)) {
		l->e.addr_lo = ipv4_half(address);
		l->read = true;
	} else if (family == AF_INET6 && !bpf_probe_read_user(halves, sizeof(halves), (void *)at)) {
		l->e.addr_hi = bpf_be64_to_cpu(halves[0]);
		l->e.addr_lo = bpf_be64_to_cpu(halves[1]);
		l->read = true;
	}
}

/* getaddrinfo() needs no name: then it asks for the own address. */
static __always_inline void read_question(struct lookup *l)
{
	__u32 call = l->e.call;

	if (!l->at)
		l->read = true;
	else if (call == CALL_GETHOSTBYADDR || call == CALL_GETHOSTBYADDR_R || call == CALL_GETNAMEINFO)
		read_address(l);
	else
		read_name(l);
}
