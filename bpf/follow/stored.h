/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the data of a file are that no bio of its pages has: what tells a file system that keeps them elsewhere from I/O that
 * was missed.
 */
#pragma once

#include "compat.h"
#include "core.h"
#include "follow.h"

#define EXT4_MAGIC 0xef53
#define BTRFS_MAGIC 0x9123683e
#define F2FS_MAGIC 0xf2f52010
#define EXT4_JOURNAL_DATA_FL 0x4000	  /* chattr +j */
#define EXT4_MOUNT_DATA_FLAGS 0xc00	  /* data= */
#define EXT4_MOUNT_JOURNAL_DATA 0x400

/* Of the file or of its file system. Up to 6.3 the bios of such data are those of the journal and of its checkpoints. */
static __always_inline bool is_journalled(struct inode *inode)
{
	struct ext4_inode_info *info;
	struct ext4_sb_info *sb;

	if (!bpf_core_type_exists(struct ext4_inode_info) ||
	    BPF_CORE_READ(inode, i_sb, s_magic) != EXT4_MAGIC)
		return false;
	info = (void *)inode - bpf_core_field_offset(struct ext4_inode_info, vfs_inode);
	sb = BPF_CORE_READ(inode, i_sb, s_fs_info);
	return BPF_CORE_READ(info, i_flags) & EXT4_JOURNAL_DATA_FL ||
	       (BPF_CORE_READ(sb, s_mount_opt) & EXT4_MOUNT_DATA_FLAGS) == EXT4_MOUNT_JOURNAL_DATA;
}

/*
 * A file that was written and has no whole block of its own: these keep it in its inode or beside it. xfs does not, and
 * counts its blocks elsewhere.
 */
static __always_inline bool is_inline(struct inode *inode)
{
	__u64 bytes = (BPF_CORE_READ(inode, i_blocks) << 9) + BPF_CORE_READ(inode, i_bytes);
	__u64 magic = BPF_CORE_READ(inode, i_sb, s_magic);

	if (magic != EXT4_MAGIC && magic != BTRFS_MAGIC && magic != F2FS_MAGIC)
		return false;
	return BPF_CORE_READ(inode, i_size) && bytes < 1ULL << BPF_CORE_READ(inode, i_blkbits);
}

__noinline __u32 stored_where(__u64 address)
{
	struct inode *inode = (void *)address;

	return (is_inline(inode) ? FILE_INLINE : 0) | (is_journalled(inode) ? FILE_JOURNALLED : 0);
}
