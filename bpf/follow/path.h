/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The path of a sample's file, as its writer sees it, and --path: is it below a directory? */
#pragma once

#include "lib/fs/path.h"
#include "root.h"

/* Mount 0: up to the root of the file system. */
__noinline int path_below_root(__u64 dentry, __u64 mount)
{
	struct path_walk w;
	int i;

	path_begin(&w, dentry, mount);
	for (i = 0; i <= PATH_DEPTH; i++) {
		if (is_root_inode(w.dentry))
			return 1;
		if (path_up(&w) >= PATH_DETACHED)
			return 0;
	}
	return 0;
}

static __always_inline void read_opened_path(struct path_place *place, struct file *file)
{
	bpf_probe_read_kernel(place, sizeof(*place), (void *)opened_path(file));
}

/*
 * Is the file's inode, or that of a directory above it, the one of --path? Of a file in overlayfs it may be the one that
 * the writer has opened, or the one of the layer that the data are in: by the name that its inode has there.
 */
__noinline int below_root(__u64 address)
{
	struct file *file = (void *)address;
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	struct path_place opened = {};
	struct dentry *dentry;

	read_opened_path(&opened, file);
	if (path_below_root(opened.dentry, mount_of(opened.mnt)))
		return 1;
	dentry = (void *)opened.dentry;
	if (BPF_CORE_READ(dentry, d_inode) == inode)
		return 0;
	dentry = (void *)inode_alias(inode);
	return dentry && path_below_root((__u64)dentry, 0);
}
