/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * By which stacks the resident memory of processes grows and shrinks: by how much the kernel's own count differs from what it
 * was when a program saw it last. So the sums are the process's, whatever changed it: faults of the program or of the kernel,
 * large pages, calls that map, touch and unmap (mmap, brk, madvise). A difference that two CPUs see at the same time is counted
 * twice, and the next one is smaller for it.
 *
 * Before 6.2 a thread hands in what it counts after 64 faults, since then a CPU when it has 32 pages, or twice as many as there
 * are CPUs. A stack is taken for so many at a time, which is why this is cheap; what has not been handed in is not seen.
 * Rejected: exceptions:page_fault_user, which knows neither how many pages a fault brings nor what the kernel's own accesses do,
 * nor who gives memory back; kmem:mm_page_alloc, which does not tell a process's memory from the page cache.
 */
#pragma once

#include "compat_memory.h"
#include "iter.h"
#include "memleak.h"

#include "lib/core/filter_task.h"
#include "lib/core/table.h"
#include "lib/user/stack.h"

const volatile __u32 page_shift = 12;

TABLE(growth, struct growth_key, struct growth_count, 16384);

struct resident {
	__u64 mm; /* another one: the process runs another program */
	__s64 pages[RESIDENT_KINDS];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32); /* tgid */
	__type(value, struct resident);
} residents SEC(".maps");

static __always_inline bool is_resident(__u32 kind)
{
	return kind < RESIDENT_KINDS && kind != RESIDENT_SWAPPED;
}

static __always_inline void save_resident(__u32 tgid, struct mm_struct *mm, __u64 how)
{
	struct resident now = {.mm = (__u64)mm};
	int kind;

	for (kind = 0; kind < RESIDENT_KINDS; kind++)
		now.pages[kind] = mm_resident_pages(mm, kind);
	if (bpf_map_update_elem(&residents, &tgid, &now, how) == -E2BIG)
		count_loss(LOSS_RESIDENT);
}

static __always_inline void count_growth(__u32 tgid, __u32 kind, __s64 pages)
{
	static const struct growth_count zero;
	struct growth_key key = {.tgid = tgid, .kind = kind};
	struct growth_count *n;

	bpf_get_current_comm(key.comm, sizeof(key.comm));
	key.stack = stack_take_user();
	n = table_find(&growth, &key, &zero);
	if (!n)
		return;
	if (pages > 0)
		__sync_fetch_and_add(&n->grown_bytes, pages << page_shift);
	else
		__sync_fetch_and_add(&n->shrunk_bytes, -pages << page_shift);
}

/* Of the current task's own memory; not what a fork, an exec or an end does to another one's. */
TRACEPOINT(rss_stat, struct mm_struct *mm, int member)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 pid_tgid = filter_pid_tgid();
	__u32 tgid = pid_tgid >> 32, kind = member;
	struct resident *r = bpf_map_lookup_elem(&residents, &tgid);
	bool passes = filter_passes_as(pid_tgid);
	__s64 pages;

	if (!tgid || (!r && !passes) || !is_resident(kind) || BPF_CORE_READ(task, mm) != mm)
		return 0;
	if (!r || (r->mm != (__u64)mm && BPF_CORE_READ(task, flags) & PF_KTHREAD)) { /* which borrows others' memory by turns */
		save_resident(tgid, mm, BPF_ANY);
		return 0;
	}
	if (r->mm != (__u64)mm) {
		__builtin_memset(r, 0, sizeof(*r));
		r->mm = (__u64)mm;
	}
	pages = mm_resident_pages(mm, kind) - r->pages[kind];
	if (!pages)
		return 0;
	__sync_fetch_and_add(&r->pages[kind], pages);
	if (passes)
		count_growth(tgid, kind, pages);
	return 0;
}

/* What it has when the run begins; of the command, which has not begun, what it is before. */
SEC("iter/task") int resident_before__iter(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	__u64 pid_tgid;

	if (!task || !task->mm)
		return 0;
	pid_tgid = task_pid_tgid(true, task);
	if (filter_passes_task(true, task, pid_tgid) || pid_tgid >> 32 == filter_root)
		save_resident(pid_tgid >> 32, task->mm, BPF_NOEXIST);
	return 0;
}

/* What it has of its parent's. */
TRACEPOINT_AT(resident_fork, "sched_process_fork", struct task_struct *parent, struct task_struct *child)
{
	struct mm_struct *mm = LOAD(child, mm);

	if (mm && LOAD(child, tgid) != LOAD(parent, tgid) && filter_passes()) /* kernel threads have none */
		save_resident(task_pid_tgid(typed, child) >> 32, mm, BPF_ANY);
	return 0;
}

TRACEPOINT_AT(resident_exit, "sched_process_exit", struct task_struct *task)
{
	struct signal_struct *signal = LOAD(task, signal);
	__u32 tgid = filter_pid_tgid() >> 32;

	if (LOAD(signal, live.counter) == 0)
		bpf_map_delete_elem(&residents, &tgid);
	return 0;
}
