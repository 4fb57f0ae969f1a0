/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pools of workers, which answer what other threads of their process read. If all of them are busy when a request is read, nobody wakes
 * the one that takes it up in the end: it was done with its last job when it answered another client, so from there on its waits are told, of
 * each sample that its process has read and not answered. Rejected: the same of every process, as where goroutines or an executor's
 * tasks move between threads nothing follows from what a thread did before; and of a server with a thread for each client it would
 * soon be all of them.
 */
#pragma once

#include "core.h"
#include "task.h"

#include "exchanges.h"
#include "query.h"
#include "servers.h"

#define POOL_ANSWERS 8 /* by others than the reader that make a pool, if none is by a reader */

struct pool { /* the samples that the process has read last; those that are over are known by their exchange */
	__u64 sock[SERVES], sample[SERVES];
	__u32 reader[SERVES];
	__u32 n;
	__u32 n_handed; /* answered by another thread than their reader */
	__u32 is_mixed; /* readers answer, too: it is none */
	__u32 zero;
};

/* By process. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct pool);
} pools SEC(".maps");

static __noinline int add_to_pool(__u64 sk, __u64 sample)
{
	static const struct pool zero;
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	__u32 tgid = pid_tgid >> 32, place;
	struct pool *p = bpf_map_lookup_elem(&pools, &tgid);

	if (!p) {
		bpf_map_update_elem(&pools, &tgid, &zero, BPF_NOEXIST);
		p = bpf_map_lookup_elem(&pools, &tgid);
	}
	if (!p || p->is_mixed || (p->n && p->sample[(p->n - 1) & (SERVES - 1)] == sample))
		return 0;
	place = p->n++ & (SERVES - 1);
	p->sock[place] = sk;
	p->sample[place] = sample;
	p->reader[place] = (__u32)pid_tgid;
	return 0;
}

/* The current thread has read the sample. */
static __always_inline void serve_read(__u64 sk, __u64 sample)
{
	serve(current_tid(), sk, sample);
	add_to_pool(sk, sample);
}

/* The current thread has answered on this connection: what that says of its process. */
static __noinline bool is_worker(struct pool *p, __u64 answered)
{
	__u32 tid = current_tid(), i;

	if (!p || p->is_mixed)
		return false;
	for (i = 0; i < SERVES; i++) {
		if (p->reader[i] == tid)
			p->is_mixed = true;
		if (p->sample[i] && p->sock[i] == answered) {
			p->sample[i] = 0;
			p->n_handed++;
		}
	}
	return !p->is_mixed && p->n_handed >= POOL_ANSWERS;
}

/* It may take up this sample now, unless somebody has answered that. */
__noinline int offer_sample(__u64 sk, __u64 sample)
{
	struct exchange *e = exchange_of(sk);
	__u32 tid = current_tid(), i;
	struct server *s;

	if (!e || e->sample != sample || e->sent != e->answer)
		return 0;
	s = server_made(tid);
	if (!s)
		return 0;
	if (!is_serving(tid))
		s->role = ROLE_WOKEN;
	for (i = 0; i < SERVES && s->sample[i] != sample; i++)
		;
	if (i == SERVES)
		add_sample(s, sk, sample);
	emit_query(QUERY_TURN, sk, sample, 0, 0);
	return 1;
}

static __noinline int take_next(struct pool *p)
{
	__u32 i;

	for (i = 0; p && i < SERVES; i++)
		if (p->sample[i] && !offer_sample(p->sock[i], p->sample[i]))
			p->sample[i] = 0;
	return 0;
}

static __always_inline int end_job(__u64 answered)
{
	__u32 tgid = bpf_get_current_pid_tgid() >> 32;
	struct pool *p = bpf_map_lookup_elem(&pools, &tgid);

	return is_worker(p, answered) ? take_next(p) : 0;
}

/* The same of a connection that is not followed. */
static __always_inline void answer_other(__u64 sk)
{
	serve_other(sk);
	end_job(sk);
}
