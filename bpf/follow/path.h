/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The way from a file up to the root, over mount points: for the path of a sample, and for
 * --path. Each step is a function of scalars, which the verifier checks once, and what the loop
 * keeps is unknown to it: so it walks each round of the loop once, whichever way the last one went.
 */
#pragma once

#include "core.h"
#include "follow.h"
#include "fs.h"
#include "task.h"

#define PATH_DEPTH 32

const volatile __u64 root_inode; /* --path: only below this inode */
const volatile __u32 root_dev;	 /* of its super block */

static __always_inline __u64 mount_of(__u64 vfsmount)
{
	return vfsmount - bpf_core_field_offset(struct mount, mnt);
}

static __always_inline bool is_mount_root(__u64 dentry, __u64 mount)
{
	return dentry == (__u64)BPF_CORE_READ((struct mount *)mount, mnt.mnt_root);
}

/* The mount of what is above: another one if the dentry is the root of its mount. */
__noinline __u64 mount_above(__u64 dentry, __u64 mount)
{
	if (!is_mount_root(dentry, mount))
		return mount;
	return (__u64)BPF_CORE_READ((struct mount *)mount, mnt_parent);
}

/* The dentry above, itself if there is none: a mount point or a directory. */
__noinline __u64 dentry_above(__u64 dentry, __u64 mount)
{
	if (!is_mount_root(dentry, mount))
		return (__u64)BPF_CORE_READ((struct dentry *)dentry, d_parent);
	return (__u64)BPF_CORE_READ((struct mount *)mount, mnt_mountpoint);
}

static __always_inline bool is_root_inode(__u64 address)
{
	struct dentry *dentry = (void *)address;

	return BPF_CORE_READ(dentry, d_inode, i_ino) == root_inode &&
	       BPF_CORE_READ(dentry, d_inode, i_sb, s_dev) == root_dev;
}

/* Is the file's inode, or that of a directory above it, the one of --path? */
static __always_inline bool below_root(struct file *file)
{
	__u64 mount = mount_of((__u64)BPF_CORE_READ(file, f_path.mnt));
	__u64 dentry = (__u64)BPF_CORE_READ(file, f_path.dentry);
	int i;

	for (i = 0; i <= PATH_DEPTH; i++) {
		__u64 next, above;

		if (is_root_inode(dentry))
			return true;
		next = dentry_above(dentry, mount);
		above = mount_above(dentry, mount);
		if (next == dentry && above == mount)
			return false;
		dentry = next;
		mount = above;
	}
	return false;
}

/* Puts the name of `dentry` at the end of the path. */
static __always_inline bool add_name(struct follow_start *s, __u64 dentry)
{
	__u32 bytes = s->path_bytes;
	long got;

	if (bytes >= FOLLOW_PATH)
		return false;
	got = bpf_probe_read_kernel_str(s->path + (bytes & (FOLLOW_PATH - 1)), FOLLOW_NAME,
					BPF_CORE_READ((struct dentry *)dentry, d_name.name));
	if (got <= 0)
		return false;
	s->path_bytes = bytes + (got & (FOLLOW_NAME * 2 - 1));
	return true;
}

/* The file's path, names from the file up to the task's root, over mount points. */
static __always_inline void fill_path(struct follow_start *s, struct file *file)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 root = (__u64)BPF_CORE_READ(task, fs, root.dentry);
	__u64 root_mount = mount_of((__u64)BPF_CORE_READ(task, fs, root.mnt));
	__u64 mount = mount_of((__u64)BPF_CORE_READ(file, f_path.mnt));
	__u64 dentry = (__u64)BPF_CORE_READ(file, f_path.dentry);
	int i;

	s->path_whole = 0;
	s->path_bytes = 0;
	for (i = 0; i < PATH_DEPTH; i++) {
		__u64 next, above;

		if (dentry == root && mount == root_mount) {
			s->path_whole = 1;
			break;
		}
		next = dentry_above(dentry, mount);
		above = mount_above(dentry, mount);
		if (next == dentry && above == mount) {
			s->path_whole = is_mount_root(dentry, mount);
			break;
		}
		if (above == mount && !add_name(s, dentry))
			break;
		dentry = next;
		mount = above;
	}
}
