/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why a bio is submitted: by its thread, and what that is doing. */
#pragma once

#include "calls.h"
#include "core.h"
#include "follow.h"
#include "fsyncs.h"
#include "syncs.h"

/* Why the flusher writes, by its thread; set for each inode that it writes. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u32);
} flushing SEC(".maps");

static __always_inline __u32 cause_of(__u32 tid)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u32 *why, flags;

	if (n_calls && bpf_map_lookup_elem(&calls_active, &tid))
		return reading ? CAUSE_READER : fsyncing ? CAUSE_FSYNC : CAUSE_WRITER;
	if (reading)
		return CAUSE_OTHER;
	if (fsyncing)
		return bpf_map_lookup_elem(&committing, &tid) ? CAUSE_COMMIT : CAUSE_OTHER;
	if (n_syncing && bpf_map_lookup_elem(&syncing, &tid))
		return CAUSE_FSYNC;
	flags = BPF_CORE_READ(task, flags);
	if (flags & (PF_KSWAPD | PF_MEMALLOC))
		return CAUSE_RECLAIM;
	if (!(flags & PF_KTHREAD))
		return CAUSE_OTHER; /* close, truncate */
	why = bpf_map_lookup_elem(&flushing, &tid);
	return why ? *why : CAUSE_OTHER;
}
