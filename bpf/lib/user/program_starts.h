/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * For tools with probes in libraries: tells user space of programs that begin, so that it finds
 * libraries which nobody had when the tool began (a new container's). A program that user space has
 * looked at is in programs_looked_at, and is not told of again for as long as it stays there.
 * A full ring is LOSS_PROGRAM, which the tool's header numbers.
 */
#pragma once

#include "exec.h"
#include "fs.h"
#include "task.h"

#include "compat.h"

#include "lib/core/filter.h"
#include "lib/user/program_starts_wire.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} program_starts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROGRAMS_LOOKED_AT);
	__type(key, struct program_id);
	__type(value, __u8);
} programs_looked_at SEC(".maps");

/* Its threads may get another name than --comm has, and the one with that name is still to come. */
static __always_inline bool program_passes(void)
{
	if (filter_by_comm)
		return !filter_root || filter_in_tree(filter_pid_tgid() >> 32);
	return filter_passes();
}

TRACEPOINT_AT(program_begin, "sched_process_exec", struct task_struct *task, int old_pid,
	      struct linux_binprm *bprm)
{
	struct program_start n = {};
	struct mnt_namespace *mounts;
	struct inode *inode, *root;
	struct nsproxy *nsproxy;
	struct fs_struct *fs;

	if (!program_passes())
		return 0;
	inode = BPF_CORE_READ(bprm, file, f_inode);
	fs = LOAD(task, fs);
	root = BPF_CORE_READ(fs, root.dentry, d_inode);
	nsproxy = LOAD(task, nsproxy);
	mounts = BPF_CORE_READ(nsproxy, mnt_ns);
	n.id.ino = BPF_CORE_READ(inode, i_ino);
	n.id.dev = BPF_CORE_READ(inode, i_sb, s_dev);
	n.id.root_ino = BPF_CORE_READ(root, i_ino);
	n.id.root_dev = BPF_CORE_READ(root, i_sb, s_dev);
	n.id.mounts = mounts_id(mounts);
	n.id.mounts_inum = BPF_CORE_READ(mounts, ns.inum);
	n.id.changes = BPF_CORE_READ(mounts, event);
	if (bpf_map_lookup_elem(&programs_looked_at, &n.id))
		return 0;
	n.tgid = filter_pid_tgid() >> 32;
	n.wanted = !filter_by_comm || filter_comm_matches();
	/* At once: its first lookup may come soon. */
	if (n.tgid && bpf_ringbuf_output(&program_starts, &n, sizeof(n), BPF_RB_FORCE_WAKEUP))
		count_loss(LOSS_PROGRAM);
	return 0;
}
