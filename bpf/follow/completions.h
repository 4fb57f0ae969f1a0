/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The block requests that threads of servers wait for: a thread's own that completes while it sleeps for I/O, and anybody's whose
 * completion wakes it, as a quarter of a database's commits wait for what another one has submitted. The latter is known by its CPU, while
 * the interrupt lasts in which it completes. Where a thread of the kernel passes the completion on (files that grow, btrfs, dm-crypt,
 * interrupts that are threads), another one's request is not known, but that thread is.
 */
#pragma once

#include "block.h"
#include "compat.h"
#include "core.h"
#include "task.h"

#include "exchanges.h"
#include "lib/core/emit.h"
#include "query.h"

#define COMPLETION_NS 100000 /* it takes 1,000 to wake who waits */
#define SLEEP_NS 5000 /* and as long to go to sleep */

struct submission { /* of a request */
	__u64 issue_ns; /* 0: the driver has it not yet */
	__u64 start_ns; /* as the block layer has it: another one at this address has another time, or 0 */
	__u32 tgid, tid; /* who first inserted or issued it */
	char comm[16];
};

/* By the request's address. LRU: one may complete when nothing is looked at. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, struct submission);
} submissions SEC(".maps");

struct completion {
	__u64 ts_ns; /* 0: none */
	__u32 tid; /* what is interrupted */
	__u32 dev;
	__u64 sector;
	__u32 bytes;
	__u32 opf;
	__u32 is_told; /* to who has submitted it */
	__u32 in_interrupt;
	struct submission by;
};

static struct completion completions[1024]; /* by CPU */

static __always_inline struct completion *completion_here(void)
{
	return &completions[bpf_get_smp_processor_id() & 1023];
}

/* No room for it: by whom, and for how long the disk had it, is not told. */
static __noinline int submit_request(__u64 rq, __u64 issue_ns)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct submission s = {.issue_ns = issue_ns, .tgid = pid_tgid >> 32, .tid = pid_tgid};

	s.start_ns = BPF_CORE_READ((struct request *)rq, start_time_ns);
	bpf_get_current_comm(s.comm, sizeof(s.comm));
	bpf_map_update_elem(&submissions, &rq, &s, BPF_ANY);
	return 0;
}

static __noinline int issue_request(__u64 rq)
{
	struct submission *known = bpf_map_lookup_elem(&submissions, &rq);
	__u64 now = bpf_ktime_get_ns();

	if (!known || known->start_ns != BPF_CORE_READ((struct request *)rq, start_time_ns))
		return submit_request(rq, now);
	if (!known->issue_ns)
		known->issue_ns = now;
	else if (!known->start_ns)
		return submit_request(rq, now);
	return 0; /* again, after the driver was busy */
}

/* `woken`: whose wait it ends, or comes before the end of. */
static __always_inline void emit_block(const struct completion *c, __u32 woken, __u64 ns)
{
	struct query_block *b = emit_reserve(sizeof(*b));

	if (!b)
		return;
	fill_query(&b->hop, QUERY_BLOCK, 0, 0);
	b->hop.ts_ns = ns;
	b->hop.tid = woken;
	b->hop.tgid = 0;
	__builtin_memset(b->hop.comm, 0, sizeof(b->hop.comm)); /* whom it interrupted */
	b->hop.wake_ns = c->ts_ns;
	b->hop.out_ns = c->by.issue_ns;
	if ((c->opf & REQ_OP_MASK) != REQ_OP_FLUSH) { /* which whoever runs the queue submits */
		b->hop.other_tgid = c->by.tgid;
		b->hop.other_tid = c->by.tid;
		__builtin_memcpy(b->hop.other_comm, c->by.comm, sizeof(b->hop.other_comm));
	}
	b->sector = c->sector;
	b->dev = c->dev;
	b->bytes = c->bytes;
	b->opf = c->opf;
	b->zero = 0;
	emit_submit(b, sizeof(*b));
}

/* What completes on this CPU now; NULL: it is that of before. */
static __noinline struct completion *begin_completion(__u64 address, __u32 bytes, __u32 in_interrupt)
{
	struct request *rq = (void *)address;
	struct completion *c = completion_here();
	struct submission *by = bpf_map_lookup_elem(&submissions, &address);
	__u64 now = bpf_ktime_get_ns();
	__u32 opf = BPF_CORE_READ(rq, cmd_flags);

	if (!bytes && (opf & REQ_OP_MASK) != REQ_OP_FLUSH && now <= c->ts_ns + COMPLETION_NS)
		return NULL; /* it has asked for the flush, or is the end of the write, that has just completed */
	c->tid = current_tid();
	c->dev = request_dev(false, rq);
	c->sector = BPF_CORE_READ(rq, __sector);
	c->bytes = bytes;
	c->opf = bytes ? opf : REQ_OP_FLUSH;
	c->is_told = false;
	c->in_interrupt = in_interrupt;
	__builtin_memset(&c->by, 0, sizeof(c->by));
	if (by && by->start_ns == BPF_CORE_READ(rq, start_time_ns))
		c->by = *by;
	if (bytes >= BPF_CORE_READ(rq, __data_len))
		bpf_map_delete_elem(&submissions, &address);
	c->ts_ns = now;
	return c;
}

/*
 * Does a completion in the current interrupt wake the thread, which has slept since `out_ns`, and serves a sampled request? One that went to
 * sleep after it is woken by another one.
 */
static __noinline bool is_woken_by_disk(__u32 woken, __u64 out_ns, __u64 now)
{
	struct completion *c = completion_here();

	if (!c->in_interrupt || c->tid != current_tid())
		return false;
	if (now > c->ts_ns + COMPLETION_NS || out_ns > c->ts_ns + SLEEP_NS)
		return false;
	if (c->by.tid != woken || !c->is_told)
		emit_block(c, woken, now);
	return true;
}
