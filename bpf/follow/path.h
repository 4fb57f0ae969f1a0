/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --path: is a file below a directory? */
#pragma once

#include "lib/fs/path.h"

const volatile __u64 root_inode; /* only below this inode */
const volatile __u32 root_dev;	 /* of its super block */

static __always_inline bool is_root_inode(__u64 address)
{
	struct dentry *dentry = (void *)address;

	return BPF_CORE_READ(dentry, d_inode, i_ino) == root_inode &&
	       BPF_CORE_READ(dentry, d_inode, i_sb, s_dev) == root_dev;
}

/* Is the file's inode, or that of a directory above it, the one of --path? */
static __always_inline bool below_root(struct file *file)
{
	struct path_walk w;
	int i;

	path_begin(&w, (__u64)BPF_CORE_READ(file, f_path.dentry), mount_of((__u64)BPF_CORE_READ(file, f_path.mnt)));
	for (i = 0; i <= PATH_DEPTH; i++) {
		if (is_root_inode(w.dentry))
			return true;
		if (path_up(&w) >= PATH_DETACHED)
			return false;
	}
	return false;
}
