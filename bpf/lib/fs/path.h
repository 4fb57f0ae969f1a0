/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The way from a file up to the root, over mount points. What the loop keeps is unknown to the verifier: so it walks each round
 * of the loop once, whichever way the last one went. Rejected: a cache by dentry, which does not see that a directory
 * above was renamed; bpf_d_path(), which is not permitted in these programs.
 */
#pragma once

#include "core.h"
#include "fs.h"
#include "task.h"

#include "lib/fs/path_names.h"

#define PATH_DEPTH 32

static __always_inline __u64 mount_of(__u64 vfsmount)
{
	return vfsmount - bpf_core_field_offset(struct mount, mnt);
}

/* What a step needs of a mount and of a dentry. Neighbours in memory are read at once: a read costs as much as ten loads. */
struct path_mount {
	__u64 parent;
	__u64 point;
	__u64 root;
};

static __always_inline void path_read_mount(struct path_mount *m, __u64 address)
{
	const __u64 at = bpf_core_field_offset(struct mount, mnt_parent);
	struct mount *mount = (void *)address;

	if (bpf_core_field_offset(struct mount, mnt_mountpoint) == at + 8 &&
	    bpf_core_field_offset(struct mount, mnt.mnt_root) == at + 16) {
		bpf_probe_read_kernel(m, sizeof(*m), (void *)(address + at));
		return;
	}
	m->parent = (__u64)BPF_CORE_READ(mount, mnt_parent);
	m->point = (__u64)BPF_CORE_READ(mount, mnt_mountpoint);
	m->root = (__u64)BPF_CORE_READ(mount, mnt.mnt_root);
}

struct path_dentry {
	__u64 parent;
	__u64 hash_and_length;
	__u64 name;
};

static __always_inline void path_read_dentry(struct path_dentry *d, __u64 address)
{
	const __u64 at = bpf_core_field_offset(struct dentry, d_parent);
	struct dentry *dentry = (void *)address;

	if (bpf_core_field_offset(struct dentry, d_name.name) == at + 16) {
		bpf_probe_read_kernel(d, sizeof(*d), (void *)(address + at));
		return;
	}
	d->parent = (__u64)BPF_CORE_READ(dentry, d_parent);
	d->name = (__u64)BPF_CORE_READ(dentry, d_name.name);
}

struct path_walk {
	__u64 dentry, mount;
	struct path_mount m;
	__u64 name; /* of what was left last */
};

static __always_inline void path_begin(struct path_walk *w, __u64 dentry, __u64 mount)
{
	w->dentry = dentry;
	w->mount = mount;
	w->name = 0;
	path_read_mount(&w->m, mount);
}

enum path_step { PATH_NAMED, PATH_MOUNT, PATH_DETACHED, PATH_TOP };

/* To the directory, or from the root of a mount to what it is mounted on. The last two of path_step say that there is none. */
static __always_inline __u32 path_up(struct path_walk *w)
{
	struct path_dentry d = {};

	if (w->dentry == w->m.root) {
		if (w->m.parent == w->mount)
			return PATH_TOP;
		w->dentry = w->m.point;
		w->mount = w->m.parent;
		path_read_mount(&w->m, w->mount);
		return PATH_MOUNT;
	}
	path_read_dentry(&d, w->dentry);
	if (d.parent == w->dentry)
		return PATH_DETACHED;
	w->dentry = d.parent;
	w->name = d.name;
	return PATH_NAMED;
}

/* Puts a name at the end. */
static __always_inline bool path_add_name(struct path_names *p, __u64 name)
{
	__u32 bytes = p->bytes;
	long got;

	if (bytes >= PATH_BYTES)
		return false;
	got = bpf_probe_read_kernel_str(p->names + (bytes & (PATH_BYTES - 1)), PATH_NAME, (void *)name);
	if (got <= 0)
		return false;
	p->bytes = bytes + (got & (PATH_NAME * 2 - 1));
	return true;
}

static __always_inline bool path_add(struct path_names *p, __u64 dentry)
{
	return path_add_name(p, (__u64)BPF_CORE_READ((struct dentry *)dentry, d_name.name));
}

/* The current task's root. bpf_get_current_task_btf: 5.11 and later. */
static __always_inline void path_root(__u64 *dentry, __u64 *mount)
{
	struct task_struct *task;

	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf)) {
		task = (void *)bpf_get_current_task_btf();
		*dentry = (__u64)task->fs->root.dentry;
		*mount = mount_of((__u64)task->fs->root.mnt);
		return;
	}
	task = (void *)bpf_get_current_task();
	*dentry = (__u64)BPF_CORE_READ(task, fs, root.dentry);
	*mount = mount_of((__u64)BPF_CORE_READ(task, fs, root.mnt));
}

/* The path of a dentry in a mount (mount_of(path.mnt)), up to the current task's root, over mount points. */
static __always_inline void path_fill(struct path_names *p, __u64 dentry, __u64 mount)
{
	__u64 root, root_mount;
	struct path_walk w;
	int i;

	path_root(&root, &root_mount);
	path_begin(&w, dentry, mount);
	p->whole = 0;
	p->bytes = 0;
	for (i = 0; i < PATH_DEPTH; i++) {
		__u32 step;

		if (w.dentry == root && w.mount == root_mount) {
			p->whole = 1;
			break;
		}
		step = path_up(&w);
		if (step >= PATH_DETACHED) {
			p->whole = step == PATH_TOP;
			break;
		}
		if (step == PATH_NAMED && !path_add_name(p, w.name))
			break;
	}
}

/* As struct path. */
struct path_place {
	__u64 mnt;
	__u64 dentry;
};

static __always_inline void path_read_file(struct path_place *place, struct file *file)
{
	const __u64 at = bpf_core_field_offset(struct file, f_path.mnt);

	if (bpf_core_field_offset(struct file, f_path.dentry) == at + 8) {
		bpf_probe_read_kernel(place, sizeof(*place), (void *)((__u64)file + at));
		return;
	}
	place->mnt = (__u64)BPF_CORE_READ(file, f_path.mnt);
	place->dentry = (__u64)BPF_CORE_READ(file, f_path.dentry);
}

static __always_inline void path_of_file(struct path_names *p, struct file *file)
{
	struct path_place place = {};

	path_read_file(&place, file);
	path_fill(p, place.dentry, mount_of(place.mnt));
}
