/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The threads that serve sampled requests: whoever has read one, whom its arrival has woken, who may read it, and whom such a thread has
 * woken since in its own process, who may answer in its stead. While they do, each of their waits is told, and each of their dealings with
 * other clients and with other servers. Of who has sent the request and waits for the answer the waits are told, too.
 *
 * The cause of a wait is in the registers of the thread that leaves its CPU, and in those of the one that wakes it: no program
 * at system calls is needed, and no other thread pays for one.
 */
#pragma once

#include "compat.h"
#include "core.h"
#include "sched.h"
#include "skb.h"
#include "task.h"

#include "exchanges.h"
#include "arriving.h"
#include "completions.h"
#include "lib/core/arg.h"
#include "lib/core/emit.h"
#include "lib/sched/quota.h"
#include "query.h"
#include "swap.h"

#define SERVES 8 /* samples of one thread that are remembered at a time, a power of 2 */

enum role { /* of a thread, by what it has to do with its samples */
	ROLE_SERVES, /* it has read one */
	ROLE_WOKEN, /* it may have been given them */
	ROLE_CLIENT, /* it has asked for them */
};

struct server {
	__u64 sock[SERVES], sample[SERVES];
	__u32 n; /* samples that it has had */
	__u32 role;
	__u32 flags;
	__u32 upstream_kind; /* what it last did with another server, ... */
	__u64 upstream_sock, upstream_arrivals; /* ... with which, and how often it had got a CPU by then */
	__u64 out_ns; /* 0: it has a CPU */
	__u64 wake_ns;
	__u64 queue; /* when it was woken: without quota; 0: it had some */
	__s32 call, waker_call;
	__u32 waker_tgid, waker_tid;
	char waker_comm[16];
};

/* By thread. A sample that is over is known by its exchange, so that nothing need be taken out. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct server);
} servers SEC(".maps");

static __always_inline struct server *server_of(__u32 tid)
{
	return bpf_map_lookup_elem(&servers, &tid);
}

/* Does it serve a sample that is not over? */
__noinline int is_serving(__u32 tid)
{
	struct server *s = server_of(tid);
	struct exchange *e;
	__u32 i;

	if (!s)
		return 0;
	for (i = 0; i < SERVES; i++) {
		if (!s->sample[i])
			continue;
		e = exchange_of(s->sock[i]);
		if (e && e->sample == s->sample[i] && !is_answered(e))
			return 1;
		s->sample[i] = 0;
	}
	return 0;
}

static __always_inline struct server *server_made(__u32 tid)
{
	static const struct server zero;
	struct server *s = server_of(tid);

	if (s)
		return s;
	bpf_map_update_elem(&servers, &tid, &zero, BPF_NOEXIST);
	return server_of(tid);
}

static __always_inline void add_sample(struct server *s, __u64 sk, __u64 sample)
{
	__u32 place;

	if (s->n && s->sample[(s->n - 1) & (SERVES - 1)] == sample)
		return;
	place = s->n++ & (SERVES - 1);
	s->sock[place] = sk;
	s->sample[place] = sample;
}

/* It has read: from now on it serves the sample, too. */
static __noinline void serve(__u32 tid, __u64 sk, __u64 sample)
{
	struct server *s = server_made(tid);

	if (!s)
		return;
	s->role = ROLE_SERVES;
	add_sample(s, sk, sample);
}

/* It has sent the request, and may wait for the answer; whom it wakes meanwhile serves nobody by that. */
static __noinline void await_answer(__u32 tid, __u64 sk, __u64 sample)
{
	struct server *s = tid ? server_made(tid) : NULL;

	if (!s)
		return;
	if (!is_serving(tid))
		s->role = ROLE_CLIENT;
	add_sample(s, sk, sample);
}

/* The system call that the current thread is in. */
static __always_inline __s32 current_call(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	if (BPF_CORE_READ(task, flags) & (PF_KTHREAD | PF_IO_WORKER) || is_compat_syscall())
		return QUERY_NO_CALL; /* of a 32-bit one the numbers are others */
	return syscall_nr(task_registers());
}

static __always_inline bool is_ksoftirqd(struct task_struct *task)
{
	const char name[8] = {'k', 's', 'o', 'f', 't', 'i', 'r', 'q'};
	char comm[16] = {};

	if (!(BPF_CORE_READ(task, flags) & PF_KTHREAD))
		return false;
	bpf_get_current_comm(comm, sizeof(comm));
	return *(__u64 *)comm == *(const __u64 *)name;
}

/*
 * Does the program run in an interrupt, or in what is left to do after one? That has a stack of its own, on which ctx lies; but on x86 one
 * that interrupts user space has the task's, which is in no system call then (a page fault is taken for one); and an idle CPU, or one
 * that is behind, does it in a thread that does nothing else.
 */
static __noinline bool in_interrupt(tp_ctx *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 at = (__u64)ctx;

	barrier_var(at);
	if (!current_tid() || at < (__u64)BPF_CORE_READ(task, stack) || at >= task_registers())
		return true;
	return current_call() == -1 || is_ksoftirqd(task);
}

/* A part of a request has come to the server's socket; `sample`: 0 if that is none. */
static __always_inline void deliver_request(__u64 sk, __u64 chosen, __u64 sample)
{
	if (sample)
		expect_reader(sk, chosen, sample);
}

/* ---- waits */

/* The current task reclaims memory itself, or waits for what takes long for want of it. */
static __always_inline bool lacks_memory(struct task_struct *task)
{
	if (BPF_CORE_READ(task, flags) & PF_MEMALLOC)
		return true;
	return bpf_core_field_exists(task->in_memstall) && BPF_CORE_READ_BITFIELD_PROBED(task, in_memstall);
}

/* `ctx`: of sched_switch. */
static __noinline int leave_cpu(__u32 tid, __u64 state, tp_ctx *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct server *s = server_of(tid);

	if (!s || !is_serving(tid))
		return 0;
	s->flags = !state ? QUERY_PREEMPTED : state & TASK_UNINTERRUPTIBLE ? QUERY_DEEP : 0;
	if (!state && has_no_quota(false, task))
		s->flags |= QUERY_QUOTA;
	if (BPF_CORE_READ_BITFIELD_PROBED(task, in_iowait))
		s->flags |= QUERY_IO;
	s->call = current_call();
	if (lacks_memory(task) || (s->call == -1 && s->flags & QUERY_IO && waits_for_swap(ctx)))
		s->flags |= QUERY_MEMORY;
	s->wake_ns = 0;
	s->queue = 0;
	s->out_ns = bpf_ktime_get_ns();
	return 0;
}

/* `arrivals`: with this one; `ctx`: of sched_switch. */
static __noinline int take_cpu(__u32 tid, __u64 arrivals, tp_ctx *ctx)
{
	struct server *s = server_of(tid);
	struct query_hop *h;

	end_arrival();
	if (!s || !s->out_ns)
		return 0;
	if (s->queue && s->queue == (__u64)BPF_CORE_READ((struct task_struct *)arg(ctx, 2), se.cfs_rq))
		s->flags |= QUERY_QUOTA;
	h = is_serving(tid) ? new_query(QUERY_WAIT, 0, 0) : NULL;
	if (h) {
		h->tid = tid;
		h->tgid = 0;
		__builtin_memset(h->comm, 0, sizeof(h->comm)); /* that of the thread before */
		h->arrivals = arrivals;
		h->out_ns = s->out_ns;
		h->wake_ns = s->wake_ns;
		h->flags = s->flags;
		h->call = s->call;
		h->other_call = s->waker_call;
		h->other_tgid = s->waker_tgid;
		h->other_tid = s->waker_tid;
		__builtin_memcpy(h->other_comm, s->waker_comm, sizeof(h->other_comm));
		emit_submit(h, sizeof(*h));
	}
	s->out_ns = 0;
	return 0;
}

/*
 * The current thread, which has read, wakes another one of its process: to that it may give any of its requests. Whom that one wakes in
 * turn is not told: where threads fight for locks it would soon be all of them.
 */
static __always_inline void hand_over(__u32 tid, __u32 woken)
{
	struct server *from = server_of(tid), *to = server_made(woken);
	struct query_hop *h;
	__u32 last;

	if (!from || from->role != ROLE_SERVES || !to)
		return;
	if (!is_serving(woken)) {
		__builtin_memcpy(to->sock, from->sock, sizeof(to->sock));
		__builtin_memcpy(to->sample, from->sample, sizeof(to->sample));
		to->n = from->n;
		to->role = ROLE_WOKEN;
	} else if (to->role == ROLE_CLIENT) { /* of a sample of its own, and no more */
		last = (from->n - 1) & (SERVES - 1);
		add_sample(to, from->sock[last], from->sample[last]);
		to->role = ROLE_WOKEN;
	}
	h = new_query(QUERY_WAKE, 0, 0);
	if (!h)
		return;
	h->other_tid = woken;
	h->call = current_call();
	emit_submit(h, sizeof(*h));
}

/* A sampled request arrives, and who is woken by that may read it: its wait for a CPU is told. */
static __noinline void deliver(__u32 woken)
{
	struct arriving *a = arriving_here();
	struct server *s = server_made(woken);
	struct query_hop *h;

	if (!s)
		return;
	if (!is_serving(woken))
		s->role = ROLE_WOKEN;
	add_sample(s, a->sock, a->sample);
	h = new_query(QUERY_DELIVER, a->sock, a->sample);
	if (!h)
		return;
	h->other_tid = woken;
	h->tgid = h->tid = 0;
	__builtin_memset(h->comm, 0, sizeof(h->comm)); /* whom it interrupted */
	emit_submit(h, sizeof(*h));
}

/* `of_kernel`: a thread of its own is woken; `ctx`: of sched_waking. */
static __noinline int wake(__u32 woken, __u32 of_kernel, tp_ctx *ctx)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	__u32 tid = pid_tgid;
	struct server *s;

	if (!of_kernel && is_arriving())
		deliver(woken);
	if (!of_kernel && tid != woken && is_serving(tid) &&
	    BPF_CORE_READ((struct task_struct *)arg(ctx, 0), tgid) == pid_tgid >> 32)
		hand_over(tid, woken);
	s = server_of(woken);
	if (!s)
		return 0;
	if (s->out_ns && s->wake_ns)
		return 0;
	s->wake_ns = bpf_ktime_get_ns();
	s->queue = queue_without_quota((void *)arg(ctx, 0));
	if (!s->out_ns) { /* it slept before it was known */
		s->out_ns = s->wake_ns;
		s->flags = 0;
		s->call = QUERY_NO_CALL;
	}
	if (!in_interrupt(ctx)) {
		s->flags |= QUERY_BY_WAKER;
	} else if (s->flags & (QUERY_DEEP | QUERY_IO) && is_woken_by_disk(woken, s->out_ns, s->wake_ns)) {
		s->waker_call = QUERY_NO_CALL;
		s->waker_tgid = s->waker_tid = 0;
		__builtin_memset(s->waker_comm, 0, sizeof(s->waker_comm));
		return 0;
	}
	s->waker_call = current_call();
	s->waker_tgid = pid_tgid >> 32;
	s->waker_tid = tid;
	bpf_get_current_comm(s->waker_comm, sizeof(s->waker_comm));
	return 0;
}

/* A request to a disk completes: who has submitted it may sleep for I/O, as the kernel counts it. */
static __noinline int complete_request(__u64 rq, __u32 bytes, tp_ctx *ctx)
{
	struct completion *c = begin_completion(rq, bytes, in_interrupt(ctx));
	struct server *s = c && c->by.tid ? server_of(c->by.tid) : NULL;

	if (!s || !s->out_ns || s->wake_ns || !(s->flags & QUERY_IO) || !is_serving(c->by.tid))
		return 0;
	c->is_told = true;
	emit_block(c, c->by.tid, bpf_ktime_get_ns());
	return 0;
}

/* ---- other clients */

/* The current thread reads from, or sends to, a connection that is not that of its sample. */
static __always_inline void serve_other(__u64 sk)
{
	if (is_serving(current_tid()))
		emit_query(QUERY_OTHER, sk, 0, 0, 0);
}

/* ---- other servers */

/* It was accepted, and has what its listener has, unless that has listen(0). */
static __always_inline bool is_accepted(__u64 sk)
{
	return BPF_CORE_READ((struct sock *)sk, sk_max_ack_backlog);
}

/*
 * The current thread has sent `skb` to, or, if that is 0, read from a connection that is not that of a sample it serves: if it serves one,
 * it may ask another server in turn. What only acknowledges is no request, and of several times in a row on one connection the first
 * is told, until it has slept.
 */
static __noinline int ask_upstream(__u64 sk, __u64 skb)
{
	struct server *s = server_of(current_tid());
	struct tcp_sock *tp = (void *)sk;
	struct query_upstream *u;
	__u64 arrivals;
	__u32 kind = skb ? QUERY_UPSTREAM_SEND : QUERY_UPSTREAM_READ;

	if (!s || s->role == ROLE_CLIENT || is_accepted(sk) || !is_serving(current_tid()))
		return 0;
	if (skb && (BPF_CORE_READ((struct sk_buff *)skb, truesize) == TCP_PURE_ACK || !sock_may_send((void *)sk)))
		return 0;
	arrivals = BPF_CORE_READ((struct task_struct *)bpf_get_current_task(), sched_info.pcount);
	if (s->upstream_sock == sk && s->upstream_kind == kind && s->upstream_arrivals == arrivals)
		return 0;
	u = emit_reserve(sizeof(*u));
	if (!u)
		return 0;
	s->upstream_sock = sk;
	s->upstream_kind = kind;
	s->upstream_arrivals = arrivals;
	fill_query(&u->hop, kind, sk, 0);
	if (!skb)
		u->hop.wake_ns = BPF_CORE_READ(tp, tcp_mstamp) * 1000;
	else if (BPF_CORE_READ(tp, bytes_acked) <= 1 && !BPF_CORE_READ(tp, bytes_received)) /* a SYN is one */
		u->hop.flags = QUERY_FIRST;
	sock_ends_fill(false, (void *)sk, &u->ends);
	emit_submit(u, sizeof(*u));
	return 0;
}
