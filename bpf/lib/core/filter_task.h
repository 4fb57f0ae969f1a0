/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * lib/core/filter.h for a task that is not the current one, as the next one of a switch. `typed` says
 * what it says to LOAD.
 */
#pragma once

#include "cgroup.h"
#include "task.h"

#include "lib/core/filter.h"

#define CGROUP_DEPTH_OF_TASK 64

/* Its number in its own namespace. */
static __always_inline struct upid *task_upid(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	__u64 level = BPF_CORE_READ(pid, level);

	return (void *)((__u64)pid + bpf_core_field_offset(struct pid, numbers) +
			level * bpf_core_type_size(struct upid));
}

/* As filter_pid_tgid(): 0 if strata's namespace does not see it. */
static __always_inline __u32 task_number(struct task_struct *task)
{
	struct upid *upid = task_upid(task);

	return BPF_CORE_READ(upid, ns, ns.inum) == filter_pidns_ino ? BPF_CORE_READ(upid, nr) : 0;
}

/* tgid << 32 | tid as strata's PID namespace sees them. */
static __always_inline __u64 task_pid_tgid(const bool typed, struct task_struct *task)
{
	if (!filter_pidns_ino)
		return (__u64)LOAD(task, tgid) << 32 | (__u32)LOAD(task, pid);
	return (__u64)task_number(BPF_CORE_READ(task, group_leader)) << 32 | task_number(task);
}

static __always_inline __u64 task_cgroup_id(struct task_struct *task)
{
	return BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
}

static __always_inline bool task_in_cgroup(struct task_struct *task)
{
	struct cgroup *group = BPF_CORE_READ(task, cgroups, dfl_cgrp);
	struct cgroup_subsys_state *css = __builtin_preserve_access_index(&group->self);
	int i;

	for (i = 0; i < CGROUP_DEPTH_OF_TASK && css; i++) {
		if (BPF_CORE_READ(css, cgroup, kn, id) == filter_cgroup_id)
			return true;
		css = BPF_CORE_READ(css, parent);
	}
	return false;
}

static __always_inline bool task_in_tree(const bool typed, struct task_struct *task, __u32 tgid)
{
	__u32 kernel_tgid;

	if (tgid == filter_root)
		return !filter_waits || filter_command_runs(LOAD(task, group_leader));
	if (filter_is_root(tgid))
		return true;
	kernel_tgid = LOAD(task, tgid);
	return bpf_map_lookup_elem(&filter_tree, &kernel_tgid);
}

/* All 16 bytes, as words where that is possible: a probe read costs as much as ten of them. */
static __always_inline void task_load_comm(const bool typed, char comm[16], struct task_struct *task)
{
	const __u64 *words = (void *)task + bpf_core_field_offset(struct task_struct, comm);

	if (!typed) {
		bpf_core_read(comm, 16, &task->comm);
		return;
	}
	((__u64 *)comm)[0] = words[0];
	((__u64 *)comm)[1] = words[1];
}

static __always_inline bool task_comm_matches(struct task_struct *task)
{
	__u64 comm[2] = {};

	bpf_core_read_str(comm, sizeof(comm), &task->comm);
	return filter_has_comm(comm);
}

/* Is it asked for? pid_tgid is task_pid_tgid() of it. */
static __always_inline bool filter_passes_task(const bool typed, struct task_struct *task, __u64 pid_tgid)
{
	__u32 tgid = pid_tgid >> 32;
	__u32 tid = pid_tgid;

	if (tgid == filter_self)
		return false;
	if (!task_filtered)
		return true;
	if (filter_tgid && tgid != filter_tgid)
		return false;
	if (filter_tid && tid != filter_tid)
		return false;
	if (filter_many_tgids && !bpf_map_lookup_elem(&filter_tgids, &tgid))
		return false;
	if (filter_many_tids && !bpf_map_lookup_elem(&filter_tids, &tid))
		return false;
	if (filter_root && !task_in_tree(typed, task, tgid))
		return false;
	if (filter_by_comm && !task_comm_matches(task))
		return false;
	if (filter_by_groups && !filter_has_group(task_cgroup_id(task)))
		return false;
	return !filter_by_cgroup || task_in_cgroup(task);
}
