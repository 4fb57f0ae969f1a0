// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How long requests take. A request carries the time of its allocation, so one program at its
 * completion does. The time at the device and the process that issued it are kept when asked
 * for: at block_rq_issue by request, at block_getrq by bio.
 *
 * Rejected: a hash of requests (lib/core/pending.h); the request's io_start_time_ns alone, which is often 0.
 */
#include "core.h"

#include "block.h"
#include "cgroup.h"
#include "task.h"

#include "lib/block/args.h"
#include "lib/block/filter.h"
#include "lib/block/latency_wire.h"
#include "lib/core/filter.h"
#include "lib/core/hist.h"
#include "lib/core/pending.h"
#include "lib/core/thinning.h"
#include "lib/core/tracepoint.h"

#include "issuers.h"

#define KEYS 65536

enum loss_of_biolatency { LOSS_NO_START = LOSS_TOOL, LOSS_NO_ISSUE, LOSS_NO_ISSUER };

const volatile __u32 times = 1 << TIME_ALONE; /* 1 << biolatency_time */
const volatile __u32 by;		      /* biolatency_by; 0: one histogram for all */
const volatile bool passthrough;	      /* commands to the driver too */
const volatile bool with_issuers;	      /* for a filter of tasks, or by */
const volatile bool only_wanted;	      /* only what passes the filter of tasks */

struct issue {
	__u64 request;
	__u64 ts_ns;
};

PENDING(issues, struct issue);
HISTS(latencies, TIMES);
HIST_BY(latencies_by, struct biolatency_key, KEYS);

/* When the first entry was made: what began before has none. */
static __u64 issues_since, issuers_since;

TRACEPOINT(block_rq_issue)
{
	struct issue *n = pending_begin(&issues, sizeof(*n), request_arg(ctx));

	if (!n)
		return 0;
	n->ts_ns = bpf_ktime_get_ns();
	if (!issues_since)
		issues_since = n->ts_ns;
	return 0;
}

/* In the task that submits the bio, which becomes a request. */
TRACEPOINT(block_getrq)
{
	struct issuer *n = pending_begin(&issuers, sizeof(*n), bio_arg(ctx, 1));

	if (!n)
		return 0;
	n->wanted = wanted_blkcg ? filter_task_passes() : filter_passes();
	n->tgid = filter_pid_tgid() >> 32;
	if (by & BY_PROCESS)
		bpf_get_current_comm(n->comm, sizeof(n->comm));
	if (!issuers_since)
		issuers_since = bpf_ktime_get_ns();
	return 0;
}

/* The request's bios become another one's, behind its own. */
TRACEPOINT(block_rq_merge)
{
	struct request *rq = (void *)request_arg(ctx);
	struct issuer *n = pending_find(&issuers, sizeof(*n), (__u64)BPF_CORE_READ(rq, bio));

	if (n)
		n->object = 0;
	return 0;
}

/* When the device got the request, 0 if that is not known. */
static __always_inline __u64 take_issue(__u64 address, __u64 io_start)
{
	struct issue *n = pending_find(&issues, sizeof(*n), address);

	if (n) {
		n->request = 0;
		io_start = n->ts_ns;
	}
	return io_start;
}

static __always_inline bool request_wanted(const bool typed, struct request *rq, __u32 op)
{
	return (passthrough || op < REQ_OP_PASSTHROUGH) && block_filter_passes(typed, rq);
}

/* A flush has no bio, and is nobody's. */
static __always_inline bool issuer_wanted(struct request *rq, const struct issuer *issuer, __u64 start)
{
	if (issuer->object)
		return issuer->wanted;
	if (BPF_CORE_READ(rq, bio) && issuers_since && start >= issuers_since)
		count_loss(LOSS_NO_ISSUER);
	return false;
}

/* 0 if it is not known. A flush of the block layer's own is not in the statistics, and has it. */
static __always_inline __u64 start_of(const bool typed, struct request *rq, __u32 op)
{
	return request_has_start(LOAD(rq, rq_flags)) || op == REQ_OP_FLUSH ? LOAD(rq, start_time_ns) : 0;
}

/* Is all known that is to be counted? */
static __always_inline bool times_known(__u64 start, __u64 issued)
{
	if (times & (1 << TIME_QUEUE | 1 << TIME_DEVICE) && !issued) {
		if (issues_since && start >= issues_since)
			count_loss(LOSS_NO_ISSUE);
		return false;
	}
	if (times & ~(1 << TIME_DEVICE) && !start) {
		count_loss(LOSS_NO_START);
		return false;
	}
	return true;
}

static __always_inline void fill_key(const bool typed, struct biolatency_key *key, struct request *rq,
				     __u32 flags, const struct issuer *issuer)
{
	key->by = by;
	if (by & BY_DISK)
		key->dev = request_dev(typed, rq);
	if (by & BY_FLAGS)
		key->flags = flags;
	if (by & (BY_CGROUP | BY_OWNER))
		key->cgroup = BPF_CORE_READ(rq, bio, bi_blkg, blkcg, css.cgroup, kn, id);
	if (by & BY_PROCESS) {
		key->tgid = issuer->tgid;
		__builtin_memcpy(key->comm, issuer->comm, sizeof(key->comm));
	}
}

static __always_inline void count(struct biolatency_key *key, const __u32 time, __u64 begin, __u64 end)
{
	__u64 ns = end > begin ? end - begin : 0;

	if (!(times & 1 << time))
		return;
	if (!by) {
		hists_add(&latencies, time, ns);
		return;
	}
	key->slot = time * HIST_SLOTS + hist_slot(ns);
	hist_add_by(&latencies_by, key, ns);
}

static __always_inline void count_request(const bool typed, struct request *rq, __u32 flags, __u64 start,
					  __u64 issued, const struct issuer *issuer)
{
	__u64 now = bpf_ktime_get_ns();
	struct biolatency_key key = {};

	if (by)
		fill_key(typed, &key, rq, flags, issuer);
	count(&key, TIME_ALONE, start, now);
	count(&key, TIME_QUEUE, start, issued);
	count(&key, TIME_DEVICE, issued, now);
	count(&key, TIME_TOTAL, start, now);
}

/* A completion that does not count still is the end of the request's entries. */
static __always_inline int pass_over(__u64 address, __u32 nr_bytes)
{
	struct request *rq = (void *)address;
	struct issuer issuer = {};

	if (nr_bytes < BPF_CORE_READ(rq, __data_len)) {
		if (with_issuers)
			keep_issuer(address);
		return 0;
	}
	if (times & (1 << TIME_QUEUE | 1 << TIME_DEVICE))
		take_issue(address, 0);
	if (with_issuers)
		take_issuer(address, &issuer);
	return 0;
}

/*
 * The last part of a request. No I/O of the device is a read or write without data: an empty
 * flush that waits for a request of its own, or a write that waited for one after its data.
 */
TRACEPOINT(block_rq_complete, struct request *rq, int error, unsigned int nr_bytes)
{
	struct issuer issuer = {};
	__u64 start, issued = 0;
	__u32 flags, op, bytes;

	if (thinned_out())
		return pass_over(arg(ctx, 0), nr_bytes);
	flags = LOAD(rq, cmd_flags);
	op = flags & REQ_OP_MASK;
	start = start_of(typed, rq, op);
	bytes = LOAD(rq, __data_len);
	if (nr_bytes < bytes) {
		if (with_issuers)
			keep_issuer(arg(ctx, 0));
		return 0;
	}
	if (!bytes && op <= REQ_OP_WRITE)
		return 0;
	if (times & (1 << TIME_QUEUE | 1 << TIME_DEVICE))
		issued = take_issue(arg(ctx, 0), LOAD(rq, io_start_time_ns));
	if (with_issuers)
		take_issuer(arg(ctx, 0), &issuer);
	if (!request_wanted(typed, rq, op))
		return 0;
	if (only_wanted && !issuer_wanted(rq, &issuer, start))
		return 0;
	if (times_known(start, issued))
		count_request(typed, rq, flags, start, issued, &issuer);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
