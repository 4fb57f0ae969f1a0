/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Whom this CPU wakes while it delivers something sampled may be its reader, whom nobody knows before. It need not be: a socket in an epoll
 * set has a waiter even while its thread is at work, and then somebody else may be woken. So only of who has read in the end is told.
 */
#pragma once

#include "core.h"
#include "net.h"

#define WAKE_NS 100000 /* it takes 1,000 to wake a reader */

struct arriving {
	__u64 until; /* it may be woken; 0 from the next packet or thread on */
	__u64 sock, sample; /* of a query: its chosen socket */
};

static struct arriving arriving[1024]; /* by CPU */

static __always_inline struct arriving *arriving_here(void)
{
	return &arriving[bpf_get_smp_processor_id() & 1023];
}

static __always_inline void end_arrival(void)
{
	struct arriving *a = arriving_here();

	if (a->until) /* CPUs share lines of it */
		a->until = 0;
}

static __always_inline bool is_arriving(void)
{
	__u64 until = arriving_here()->until;

	return until && bpf_ktime_get_ns() <= until;
}

/* Does anybody wait for it? Else who is woken next is woken by something else. */
static __always_inline bool sock_is_awaited(struct sock *sk)
{
	struct socket_wq *wq = BPF_CORE_READ(sk, sk_wq);

	return wq && (void *)BPF_CORE_READ(wq, wait.head.next) != (void *)&wq->wait.head;
}

/* It has come to this socket, which now tells whoever waits for it. `chosen`, `sample`: of a query, else 0. */
static __always_inline void expect_reader(__u64 sk, __u64 chosen, __u64 sample)
{
	struct arriving *a = arriving_here();

	if (!sock_is_awaited((void *)sk))
		return;
	a->sock = chosen;
	a->sample = sample;
	a->until = bpf_ktime_get_ns() + WAKE_NS;
}
