/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The way from a file up to the root, over mount points. Each step is a function of scalars, which the verifier checks once, and what the loop
 * keeps is unknown to it: so it walks each round of the loop once, whichever way the last one went.
 */
#pragma once

#include "core.h"
#include "fs.h"
#include "task.h"

#include "lib/path_names.h"

#define PATH_DEPTH 32

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

/* Puts the name of `dentry` at the end. */
static __always_inline bool path_add(struct path_names *p, __u64 dentry)
{
	__u32 bytes = p->bytes;
	long got;

	if (bytes >= PATH_BYTES)
		return false;
	got = bpf_probe_read_kernel_str(p->names + (bytes & (PATH_BYTES - 1)), PATH_NAME,
					BPF_CORE_READ((struct dentry *)dentry, d_name.name));
	if (got <= 0)
		return false;
	p->bytes = bytes + (got & (PATH_NAME * 2 - 1));
	return true;
}

/* The path of a dentry in a mount (mount_of(path.mnt)), up to the current task's root, over mount points. */
static __always_inline void path_fill(struct path_names *p, __u64 dentry, __u64 mount)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 root = (__u64)BPF_CORE_READ(task, fs, root.dentry);
	__u64 root_mount = mount_of((__u64)BPF_CORE_READ(task, fs, root.mnt));
	int i;

	p->whole = 0;
	p->bytes = 0;
	for (i = 0; i < PATH_DEPTH; i++) {
		__u64 next, above;

		if (dentry == root && mount == root_mount) {
			p->whole = 1;
			break;
		}
		next = dentry_above(dentry, mount);
		above = mount_above(dentry, mount);
		if (next == dentry && above == mount) {
			p->whole = is_mount_root(dentry, mount);
			break;
		}
		if (above == mount && !path_add(p, dentry))
			break;
		dentry = next;
		mount = above;
	}
}

static __always_inline void path_of_file(struct path_names *p, struct file *file)
{
	path_fill(p, (__u64)BPF_CORE_READ(file, f_path.dentry),
		  mount_of((__u64)BPF_CORE_READ(file, f_path.mnt)));
}
