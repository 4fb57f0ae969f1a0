/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inode of --path, 0 without it. src/follow/write/root.cpp sets the constants. */
#pragma once

#include "core.h"
#include "fs.h"

const volatile __u64 root_inode;
const volatile __u32 root_dev; /* of its super block */

static __always_inline bool is_root_inode(__u64 address)
{
	struct dentry *dentry = (void *)address;

	return BPF_CORE_READ(dentry, d_inode, i_ino) == root_inode &&
	       BPF_CORE_READ(dentry, d_inode, i_sb, s_dev) == root_dev;
}
