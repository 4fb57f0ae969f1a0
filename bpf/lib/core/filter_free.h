/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * For tools of what a task does last: with this, a process of the command's tree is one of it until the kernel frees it, and
 * not only until its exit, after which it still has the CPU for a while: of 1,103 short processes cpudist showed 950.
 * Rejected: this for all tools. Of others nothing happens after the exit, and zombies would stay in the tree.
 */
#pragma once

#include "lib/core/filter.h"

/*
 * Of a process that ends, the thread with its number goes last. It has no number in its namespace any more: inside a
 * container a process that --tree found there stays in filter_tgids, and would be followed under its number again.
 */
TRACEPOINT_AT(filter_free, "sched_process_free", struct task_struct *task)
{
	__u32 tgid = LOAD(task, tgid);

	if (LOAD(task, pid) == tgid)
		filter_forget(tgid, filter_pidns_ino ? 0 : tgid);
	return 0;
}
