// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counters by key. As it comes from the template: the programs that each process executes. */
#include "task.h"

#include "TOOL_NAME.h"
#include "lib/core/filter.h"
#include "lib/core/table.h"
#include "lib/core/tracepoint.h"

TABLE(counts, struct TOOL_NAME_key, struct TOOL_NAME_count, 16384);

TRACEPOINT(sched_process_exec, struct task_struct *task)
{
	static const struct TOOL_NAME_count none;
	struct TOOL_NAME_key key = {};
	struct TOOL_NAME_count *count;

	if (!filter_passes())
		return 0;
	key.tgid = filter_pid_tgid() >> 32;
	bpf_get_current_comm(key.comm, sizeof(key.comm));
	count = table_find(&counts, &key, &none);
	if (count)
		__sync_fetch_and_add(&count->execs, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
