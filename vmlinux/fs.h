/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files, inodes, dentries, mounts: include/linux/fs.h, dcache.h, fs/mount.h, writeback.h */
#pragma once

#include "core.h"

struct address_space;
struct block_device;

struct file_system_type {
	int fs_flags;
} CORE;
#define FS_REQUIRES_DEV 1

struct super_block {
	__u32 s_dev;
	struct block_device *s_bdev; /* NULL: none of its own */
	unsigned long s_magic;
	struct file_system_type *s_type;
	void *s_fs_info; /* the file system's own */
} CORE;

struct rw_semaphore {
	struct {
		__s64 counter;
	} owner; /* the task that writes, and flags; not with PREEMPT_RT */
} CORE;
#define RWSEM_READER_OWNED 1
#define RWSEM_FLAGS 7

struct hlist_node {
	struct hlist_node *next;
} CORE;

struct hlist_head {
	struct hlist_node *first;
} CORE;

struct inode {
	__u16 i_mode;
	unsigned int i_nlink;
	struct rw_semaphore i_rwsem;
	struct hlist_head i_dentry;
	struct super_block *i_sb;
	struct address_space *i_mapping;
	unsigned long i_ino;
	__s64 i_size;
	__u64 i_blocks; /* of 512 bytes, and i_bytes of the next one */
	unsigned short i_bytes;
	unsigned char i_blkbits;
	__u32 i_rdev;
	__u32 i_generation;
} CORE;

struct ext4_inode_info {
	unsigned long i_flags; /* EXT4_*_FL */
	struct inode vfs_inode;
} CORE;

struct ext4_sb_info {
	unsigned int s_mount_opt;
} CORE;

/* include/linux/jbd2.h */
struct journal_s {
	struct block_device *j_fs_dev;
} CORE;

struct transaction_s {
	unsigned int t_tid; /* its number */
} CORE;

struct qstr {
	const unsigned char *name;
} CORE;

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
} CORE;

struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
} CORE;

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
} CORE;

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
} CORE;

struct fs_struct {
	struct path root; /* of a task: chroot(2) moves it */
	struct path pwd;
} CORE;

struct file_ra_state {
	unsigned long start; /* page where the newest readahead began */
} CORE;

struct file {
	struct file_ra_state f_ra;
	struct address_space *f_mapping;
	struct inode *f_inode;
	unsigned int f_flags; /* O_* of open(2) */
	struct path f_path;
	__s64 f_pos;
	void *private_data; /* of a socket: struct socket */
} CORE;

struct kiocb {
	struct file *ki_filp;
	__s64 ki_pos;
	void (*ki_complete)(struct kiocb *iocb, long ret); /* NULL: the caller waits */
	int ki_flags;                                      /* IOCB_*, the low ones equal RWF_* */
} CORE;
#define IOCB_DIRECT (1 << 17)

struct iov_iter {
	size_t count;
} CORE;

enum writeback_sync_modes {
	WB_SYNC_NONE,
	WB_SYNC_ALL, /* somebody waits for the data */
};

struct writeback_control {
	enum writeback_sync_modes sync_mode;
	unsigned int for_kupdate : 1;
	unsigned int for_background : 1;
} CORE;
