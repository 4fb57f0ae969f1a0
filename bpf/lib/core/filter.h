/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which tasks a tool looks at: -p, -t, -c, --cgroup, --unit and the like, and the process tree of `-- COMMAND`, all
 * of which must hold. The constants are known to the verifier, so a test that nobody asked for
 * is not in the program that runs, but the load of its constant is: task_filtered spares them. src/bpf/filter.cpp sets constants and maps.
 *
 * Process and thread numbers are those of strata's own PID namespace: inside a container they
 * differ from the kernel's, and filter_pidns_* then say which namespace to translate to. Only
 * filter_tree holds the kernel's numbers, because only BPF programs write to it.
 */
#pragma once

#include "task.h"

#include "lib/core/emit.h"
#include "lib/core/tracepoint.h"

const volatile __u32 filter_self;	  /* tgid of strata, never traced */
const volatile bool task_filtered;	  /* for certain tasks: one of the following is set */
const volatile __u32 filter_tgid;	  /* the one process that was asked for */
const volatile __u32 filter_tid;	  /* the one thread that was asked for */
const volatile bool filter_many_tgids;	  /* several: filter_tgids holds them */
const volatile bool filter_many_tids;	  /* several: filter_tids holds them */
const volatile bool filter_by_comm;	  /* filter_comm is the task's whole name */
const volatile bool filter_many_comms;	  /* several: filter_comms holds them */
const volatile __u64 filter_comm[2];	  /* 16 bytes, padded with zeros */
const volatile bool filter_by_cgroup;	  /* in the cgroup in filter_cgroup, or below it */
const volatile bool filter_by_groups;	  /* in one of the cgroups in filter_groups: of a unit, a container, a pod */
const volatile __u64 filter_cgroup_id;	  /* the same cgroup, for lib/core/filter_task.h */
const volatile __u32 filter_root;	  /* tgid of the command, FILTER_ROOTS, or 0: no tree is asked for */
const volatile __u64 filter_pidns_dev;	  /* 0 in the initial namespace */
const volatile __u64 filter_pidns_ino;

#define FILTER_ROOTS (~0U) /* --tree: filter_tgids has the processes of -p, and their descendants from before the run */

static volatile __u32 filter_waits = 1; /* the command is still strata's own child, which waits to be let go */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u32);
	__type(value, __u8);
} filter_tgids SEC(".maps"), filter_tids SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u64[2]);
	__type(value, __u8);
} filter_comms SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} filter_cgroup SEC(".maps");

/* By number, with those below them: user space adds new ones. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u64);
	__type(value, __u8);
} filter_groups SEC(".maps");

/* Descendants that were born while they were followed, by the kernel's tgid; the command itself is filter_root. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u32);
	__type(value, __u8);
} filter_tree SEC(".maps");

/* tgid << 32 | tid of the current task as strata's PID namespace sees it, 0 if it does not. */
static __always_inline __u64 filter_pid_tgid(void)
{
	struct bpf_pidns_info info = {};

	if (!filter_pidns_ino)
		return bpf_get_current_pid_tgid();
	if (bpf_get_ns_current_pid_tgid(filter_pidns_dev, filter_pidns_ino, &info, sizeof(info)))
		return 0;
	return (__u64)info.tgid << 32 | info.pid;
}

/*
 * Is the command's process the command already? What strata's child does before its exec (it waits, is let go, asks for the
 * exec) is not the command's. execve(2) takes the mark away before it tells of the new program. Rejected: a program of our
 * own at sched_process_exec, which must run before the tools' own ones there.
 */
static __always_inline bool filter_command_runs(struct task_struct *leader)
{
	if (filter_waits && !(BPF_CORE_READ(leader, flags) & PF_FORKNOEXEC))
		filter_waits = 0;
	return !filter_waits;
}

static __always_inline bool filter_has(void *many, __u32 id)
{
	return bpf_map_lookup_elem(many, &id);
}

/* Of --tree: was it there before the run? */
static __always_inline bool filter_is_root(__u32 tgid)
{
	return filter_root == FILTER_ROOTS && filter_has(&filter_tgids, tgid);
}

static __always_inline bool filter_in_tree(__u32 tgid)
{
	__u32 kernel_tgid;

	if (tgid == filter_root || filter_is_root(tgid))
		return true;
	kernel_tgid = bpf_get_current_pid_tgid() >> 32;
	return bpf_map_lookup_elem(&filter_tree, &kernel_tgid);
}

static __always_inline bool filter_in_running_tree(__u32 tgid)
{
	struct task_struct *task;

	if (!filter_waits || tgid != filter_root)
		return filter_in_tree(tgid);
	task = (void *)bpf_get_current_task();
	return filter_command_runs(BPF_CORE_READ(task, group_leader));
}

static __always_inline bool filter_has_comm(const __u64 comm[2])
{
	if (filter_many_comms)
		return bpf_map_lookup_elem(&filter_comms, comm);
	return comm[0] == filter_comm[0] && comm[1] == filter_comm[1];
}

static __always_inline bool filter_comm_matches(void)
{
	__u64 comm[2] = {};

	bpf_get_current_comm(comm, sizeof(comm));
	return filter_has_comm(comm);
}

/* What task_filtered asks for; in_tree: it is known to belong to the tree. Cheapest tests first. */
static __always_inline bool filter_task_is_wanted_if(__u64 pid_tgid, const bool in_tree)
{
	__u32 tgid = pid_tgid >> 32;
	__u32 tid = pid_tgid;

	if (filter_tgid && tgid != filter_tgid)
		return false;
	if (filter_tid && tid != filter_tid)
		return false;
	if (filter_many_tgids && !filter_has(&filter_tgids, tgid))
		return false;
	if (filter_many_tids && !filter_has(&filter_tids, tid))
		return false;
	if (filter_root && !in_tree && !filter_in_running_tree(tgid))
		return false;
	return !filter_by_comm || filter_comm_matches();
}

static __always_inline bool filter_task_is_wanted(__u64 pid_tgid)
{
	return filter_task_is_wanted_if(pid_tgid, false);
}

static __always_inline bool filter_has_group(__u64 id)
{
	return bpf_map_lookup_elem(&filter_groups, &id);
}

static __always_inline bool filter_cgroup_matches(void)
{
	if (filter_by_groups && !filter_has_group(bpf_get_current_cgroup_id()))
		return false;
	return !filter_by_cgroup || bpf_current_task_under_cgroup(&filter_cgroup, 0) == 1;
}

static __always_inline bool filter_passes_if(__u64 pid_tgid, const bool in_tree)
{
	if (pid_tgid >> 32 == filter_self)
		return false;
	return !task_filtered || (filter_task_is_wanted_if(pid_tgid, in_tree) && filter_cgroup_matches());
}

/* Is the current task, which is filter_pid_tgid(), asked for? */
static __always_inline bool filter_passes_as(__u64 pid_tgid)
{
	return filter_passes_if(pid_tgid, false);
}

/* The same of one that is known to belong to the tree, which loses a process while that exits (filter_exit). */
static __always_inline bool filter_passes_in_tree(__u64 pid_tgid)
{
	return filter_passes_if(pid_tgid, true);
}

/* Is the current task asked for, whatever --cgroup says? */
static __always_inline bool filter_task_passes(void)
{
	__u64 pid_tgid = filter_pid_tgid();

	return pid_tgid >> 32 != filter_self &&
	       (!task_filtered ||
		(filter_task_is_wanted(pid_tgid) &&
		 (!filter_by_groups || filter_has_group(bpf_get_current_cgroup_id()))));
}

/* Is the current task asked for? */
static __always_inline bool filter_passes(void)
{
	return filter_passes_as(filter_pid_tgid());
}

/* The process has ended: `tgid` is its number in strata's namespace. */
static __always_inline void filter_forget(__u32 kernel_tgid, __u32 tgid)
{
	bpf_map_delete_elem(&filter_tree, &kernel_tgid);
	if (filter_root == FILTER_ROOTS)
		bpf_map_delete_elem(&filter_tgids, &tgid);
}

/* The two hooks that follow a process tree; loaded only with `-- COMMAND` and --tree. */

TRACEPOINT_AT(filter_fork, "sched_process_fork", struct task_struct *parent,
	      struct task_struct *child)
{
	__u32 tgid = LOAD(child, tgid);
	__u32 parent_tgid = LOAD(parent, tgid);
	__u8 one = 1;

	/* The parent is the current task. A new thread is in the tree with its process. */
	if (!filter_in_tree(filter_pid_tgid() >> 32) || tgid == parent_tgid)
		return 0;
	if (bpf_map_update_elem(&filter_tree, &tgid, &one, BPF_ANY))
		count_loss(LOSS_TREE_FULL);
	return 0;
}

/* signal->live was lowered before this tracepoint: 0 in the last thread of the process. */
TRACEPOINT_AT(filter_exit, "sched_process_exit", struct task_struct *task)
{
	__u32 tgid = LOAD(task, tgid);
	struct signal_struct *signal = LOAD(task, signal);

	if (LOAD(signal, live.counter) == 0)
		filter_forget(tgid, filter_pid_tgid() >> 32);
	return 0;
}

#include "lib/core/ended_groups.h"
