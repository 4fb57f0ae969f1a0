/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The cgroup of each process that has ended, for columns that say whose a row's process was (src/run/task_groups.h): of
 * those that run user space reads it in /proc. And the path of each cgroup that was removed, as `docker run --rm` does:
 * of those that are there user space finds it by their number. Loaded only where such a column is shown.
 */
#pragma once

#include "cgroup.h"
#include "task.h"

#include "lib/core/ended_groups_wire.h"
#include "lib/core/tracepoint.h"

/* By the number that strata's PID namespace knows. Of more processes in an interval the first ones are forgotten. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u32);
	__type(value, __u64);
} ended_groups SEC(".maps");

/* In the last thread of the process, as in filter_exit. */
TRACEPOINT_AT(group_exit, "sched_process_exit", struct task_struct *task)
{
	struct signal_struct *signal = LOAD(task, signal);
	__u32 tgid = filter_pid_tgid() >> 32;
	__u64 id = bpf_get_current_cgroup_id();

	if (LOAD(signal, live.counter) == 0)
		bpf_map_update_elem(&ended_groups, &tgid, &id, BPF_ANY);
	return 0;
}

/* By the group's number. Of more groups the first ones are forgotten. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u64);
	__type(value, struct group_path);
} removed_groups SEC(".maps");

/* Of cgroup v2 alone: hierarchies of v1 have numbers of their own. The path is that from the root of all groups. */
TRACEPOINT_AT(group_rmdir, "cgroup_rmdir", struct cgroup *group, const char *path)
{
	struct cgroup_root *root = LOAD(group, root);
	struct kernfs_node *directory = LOAD(group, kn);
	struct group_path copy = {};
	__u64 id = LOAD(directory, id);

	if (LOAD(root, hierarchy_id) != 0)
		return 0;
	bpf_probe_read_kernel_str(copy.text, sizeof(copy.text), path);
	bpf_map_update_elem(&removed_groups, &id, &copy, BPF_ANY);
	return 0;
}
