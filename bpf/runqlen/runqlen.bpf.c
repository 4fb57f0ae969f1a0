// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How many threads wait in the run queue of a CPU, by samples. The task that a sample interrupts,
 * the idle one too, is of the queue of its CPU (se.cfs_rq->rq), whose nr_running has all classes and
 * groups. Idle CPUs of some virtual machines take no samples: the program counts how many were due.
 *
 * Rejected: the group's own queue, as elsewhere; the per-CPU symbol `runqueues` (a ksym and a helper more
 * for the same address); perf's own count of time, which knows the sum alone, after the end.
 */
#include "core.h"

#include "compat.h"
#include "runqlen.h"
#include "sched.h"

#include "lib/core/filter.h"
#include "lib/core/hist.h"
#include "lib/core/table.h"

enum loss_of_runqlen { LOSS_NOT_TAKEN = LOSS_TOOL };

const volatile bool by_cpu;
const volatile bool in_rows; /* shares of the time instead of lengths */
const volatile __u64 period_ns = 10101010;

HIST(lengths);
HIST_BY(lengths_by, struct runqlen_key, 1024);
TABLE(cpus, struct runqlen_cpu_key, struct runqlen_cpu, 1024);

#define CPUS 8192
#define CHECKED_EVERY 16 /* samples, after the first ones */
#define FIRST_ONES 64

/* A CPU's samples since its first one; the kernel takes them at multiples of the period, or leaves them out. */
struct taken {
	__u64 first_ns;
	__u64 count;
	__u64 left_out;
	__u64 pad;
};

static struct taken taken[CPUS];

/* A first sample that is late hides one at most; none is counted wrongly. */
static __always_inline void count_left_out(void)
{
	struct taken *t = &taken[bpf_get_smp_processor_id() & (CPUS - 1)];
	__u64 now, due;

	t->count++;
	if (t->count > FIRST_ONES && t->count % CHECKED_EVERY)
		return;
	now = bpf_ktime_get_ns();
	if (!t->first_ns)
		t->first_ns = now;
	due = (now - t->first_ns) / period_ns + 1;
	if (due <= t->count + t->left_out)
		return;
	add_loss(LOSS_NOT_TAKEN, due - t->count - t->left_out);
	t->left_out = due - t->count;
}

static __always_inline __u32 key_cpu(void)
{
	return by_cpu ? bpf_get_smp_processor_id() + 1 : 0;
}

static __always_inline void count_cpu(bool busy, __u32 waiting)
{
	const struct runqlen_cpu none = {};
	struct runqlen_cpu_key key = {.cpu = key_cpu()};
	struct runqlen_cpu *c = table_find(&cpus, &key, &none);

	if (!c)
		return;
	__sync_fetch_and_add(&c->samples, 1);
	if (busy)
		__sync_fetch_and_add(&c->busy, 1);
	if (!waiting)
		return;
	__sync_fetch_and_add(&c->occupied, 1);
	__sync_fetch_and_add(&c->waiting, waiting);
}

static __always_inline void sample(const bool typed, struct task_struct *task)
{
	struct sched_entity *se = __builtin_preserve_access_index(&task->se);
	struct cfs_rq *cfs_rq = LOAD(se, cfs_rq);
	bool busy = LOAD(task, pid) != 0;
	__u32 waiting = rq_runnable(typed, LOAD(cfs_rq, rq));
	struct runqlen_key key = {};

	if (busy && waiting) /* without the one that runs */
		waiting--;
	if (in_rows) {
		count_cpu(busy, waiting);
		return;
	}
	if (!by_cpu) {
		hist_add(&lengths, waiting);
		return;
	}
	key.cpu = key_cpu();
	key.slot = hist_slot(waiting);
	hist_add_by(&lengths_by, &key, waiting);
}

SEC("perf_event") int cpu_clock__perf(void *ctx)
{
	if (!task_filtered)
		count_left_out();
	if (!filter_passes())
		return 0;
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf)) /* 5.11 */
		sample(true, (void *)bpf_get_current_task_btf());
	else
		sample(false, (void *)bpf_get_current_task());
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
