/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where kernels differ: one accessor per change, with the release that made it. All take
 * addresses as __u64, so that they serve typed (tp_btf) and untyped (raw_tp) arguments alike.
 */
#pragma once

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "block.h"
#include "fs.h"
#include "mm.h"
#include "task.h"

#include "lib/core/tracepoint.h"

#define MINOR_BITS 20

/* 5.12 (309dca309fc3) replaced bio.bi_disk and bi_partno by bi_bdev. */
struct bio___5_11 {
	struct gendisk *bi_disk;
	__u8 bi_partno; /* until it is mapped to the disk */
} CORE;

/* 5.17 (f3fa33acca9f) replaced request.rq_disk by q->disk. */
struct request___5_16 {
	struct gendisk *rq_disk;
} CORE;

/* 6.18 renamed page.index to __folio_index; folio.index is its home since 5.16. */
/* 7.2 renamed page.compound_head to compound_info: in a tail, bit 0 and a mask for the address. */
struct page___7_2 {
	unsigned long compound_info;
} CORE;

/* 6.18 made folio.flags a struct of one member. */
struct folio___6_18 {
	struct {
		unsigned long f;
	} flags;
} CORE;

/* The size of a large folio: _folio_nr_pages up to 6.14, _nr_pages from 6.15 on. */
struct folio___6_14 {
	unsigned int _folio_nr_pages;
} CORE;

struct folio___6_15 {
	unsigned int _nr_pages;
} CORE;

/* 7.3 renamed bvec_iter.bi_bvec_done. */
struct bvec_iter___7_3 {
	unsigned int bi_offset;
} CORE;

struct bio___7_3 {
	struct bvec_iter___7_3 bi_iter;
} CORE;

/* Here and below `typed` says what it says to LOAD: the verifier knows the type of the pointer. */
static __always_inline __u32 disk_dev(const bool typed, struct gendisk *disk)
{
	return LOAD(disk, major) << MINOR_BITS | LOAD(disk, first_minor);
}

static __always_inline struct gendisk *bio_disk(const bool typed, struct bio *bio)
{
	struct bio___5_11 *old = (void *)bio;
	struct block_device *device;

	if (bpf_core_field_exists(old->bi_disk))
		return LOAD(old, bi_disk);
	device = LOAD(bio, bi_bdev);
	return LOAD(device, bd_disk);
}

/* dev_t of the whole disk that a bio goes to. */
static __always_inline __u32 bio_dev(const bool typed, struct bio *bio)
{
	return disk_dev(typed, bio_disk(typed, bio));
}

/* A bio was moved from old_dev: was that a partition of the same disk? No device is stacked on another one's partition. */
static __always_inline bool bio_left_partition(struct bio *bio, __u32 old_dev)
{
	struct bio___5_11 *old = (void *)bio;

	if (bpf_core_field_exists(old->bi_partno))
		return BPF_CORE_READ(old, bi_partno);
	return BPF_CORE_READ(bio, bi_bdev, bd_dev) == old_dev;
}

/* How many bytes of its first vector a bio has left behind. */
static __always_inline __u32 bio_vec_done(__u64 bio)
{
	struct bio___7_3 *renamed = (void *)bio;
	struct bio *b = (void *)bio;

	if (bpf_core_field_exists(renamed->bi_iter.bi_offset))
		return BPF_CORE_READ(renamed, bi_iter.bi_offset);
	return BPF_CORE_READ(b, bi_iter.bi_bvec_done);
}

/* dev_t of the whole disk that a request goes to. */
static __always_inline __u32 request_dev(const bool typed, struct request *rq)
{
	struct request___5_16 *old = (void *)rq;
	struct request_queue *queue;

	if (bpf_core_field_exists(old->rq_disk))
		return disk_dev(typed, LOAD(old, rq_disk));
	queue = LOAD(rq, q);
	return disk_dev(typed, LOAD(queue, disk));
}

/*
 * Is start_time_ns this request's own? Without statistics (queue/iostats is 0, or a command of a
 * program) it was 0, and since 6.11 or so it is what another request left there.
 */
static __always_inline bool request_has_start(__u32 rq_flags)
{
	if (!bpf_core_enum_value_exists(enum rqf_flags, __RQF_IO_STAT))
		return true;
	return rq_flags >> bpf_core_enum_value(enum rqf_flags, __RQF_IO_STAT) & 1;
}

/* The steps of a flush sequence are the block layer's own; the request itself completes after them. */
static __always_inline bool in_flush_sequence(__u32 rq_flags)
{
	__u32 bit = bpf_core_enum_value_exists(enum rqf_flags, __RQF_FLUSH_SEQ) ?
			    bpf_core_enum_value(enum rqf_flags, __RQF_FLUSH_SEQ) :
			    RQF_FLUSH_SEQ_6_9;

	return rq_flags >> bit & 1;
}

/* The first page of the folio (compound page) that a page belongs to. */
static __always_inline __u64 page_head(__u64 page)
{
	struct page___7_2 *masked = (void *)page;
	struct page *p = (void *)page;
	__u64 info;

	if (bpf_core_field_exists(masked->compound_info)) {
		info = BPF_CORE_READ(masked, compound_info);
		return info & 1 ? page & info : page;
	}
	info = BPF_CORE_READ(p, compound_head);
	return info & 1 ? info - 1 : page;
}

static __always_inline __u64 folio_mapping(__u64 folio)
{
	struct folio *f = (void *)folio;
	struct page *p = (void *)folio;

	if (bpf_core_type_exists(struct folio))
		return (__u64)BPF_CORE_READ(f, mapping);
	return (__u64)BPF_CORE_READ(p, mapping);
}

/* The folio's first page in its file. */
static __always_inline __u64 folio_index(__u64 folio)
{
	struct folio *f = (void *)folio;
	struct page *p = (void *)folio;

	if (bpf_core_type_exists(struct folio))
		return BPF_CORE_READ(f, index);
	return BPF_CORE_READ(p, index);
}

static __always_inline __u64 folio_flags(__u64 folio)
{
	struct folio___6_18 *wrapped = (void *)folio;
	struct folio *f = (void *)folio;
	struct page *p = (void *)folio;

	if (!bpf_core_type_exists(struct folio))
		return BPF_CORE_READ(p, flags);
	if (bpf_core_field_exists(wrapped->flags.f))
		return BPF_CORE_READ(wrapped, flags.f);
	return BPF_CORE_READ(f, flags);
}

/* A bio that writes a folio back has set this before it is queued. */
static __always_inline bool folio_under_writeback(__u64 folio)
{
	return folio_flags(folio) & (1ULL << bpf_core_enum_value(enum pageflags, PG_writeback));
}

/* Pages of a folio. Before 5.16 block-backed file systems had single pages only. */
static __always_inline __u64 folio_pages(__u64 folio)
{
	struct folio___6_15 *f15 = (void *)folio;
	struct folio___6_14 *f14 = (void *)folio;

	if (!bpf_core_type_exists(struct folio))
		return 1;
	if (!(folio_flags(folio) & (1ULL << bpf_core_enum_value(enum pageflags, PG_head))))
		return 1;
	if (bpf_core_field_exists(f15->_nr_pages))
		return BPF_CORE_READ(f15, _nr_pages);
	if (bpf_core_field_exists(f14->_folio_nr_pages))
		return BPF_CORE_READ(f14, _folio_nr_pages);
	return 1;
}

/* The n-th argument of a system call, from the registers at its entry or exit. */
static __always_inline __u64 syscall_arg(__u64 address, const int n)
{
	struct pt_regs *regs = (void *)address;

#if defined(__TARGET_ARCH_x86)
	switch (n) {
	case 0:
		return BPF_CORE_READ(regs, di);
	case 1:
		return BPF_CORE_READ(regs, si);
	case 2:
		return BPF_CORE_READ(regs, dx);
	case 3:
		return BPF_CORE_READ(regs, r10);
	case 4:
		return BPF_CORE_READ(regs, r8);
	default:
		return BPF_CORE_READ(regs, r9);
	}
#elif defined(__TARGET_ARCH_arm64)
	return n ? BPF_CORE_READ(regs, user_regs.regs[n]) : BPF_CORE_READ(regs, orig_x0);
#endif
}

/* The same of a 32-bit system call. */
static __always_inline __u32 compat_syscall_arg(__u64 address, const int n)
{
#if defined(__TARGET_ARCH_x86)
	struct pt_regs *regs = (void *)address;

	switch (n) {
	case 0:
		return BPF_CORE_READ(regs, bx);
	case 1:
		return BPF_CORE_READ(regs, cx);
	case 2:
		return BPF_CORE_READ(regs, dx);
	case 3:
		return BPF_CORE_READ(regs, si);
	case 4:
		return BPF_CORE_READ(regs, di);
	default:
		return BPF_CORE_READ(regs, bp);
	}
#elif defined(__TARGET_ARCH_arm64)
	return syscall_arg(address, n);
#endif
}

/* As syscall_nr(), for a typed argument of a tracepoint: one load where LOAD is one. */
#if defined(__TARGET_ARCH_x86)
#define SYSCALL_NR(regs) ((__u32)LOAD(regs, orig_ax))
#elif defined(__TARGET_ARCH_arm64)
#define SYSCALL_NR(regs) ((__u32)LOAD(regs, syscallno))
#endif

/* The number of the system call that `address`, of struct pt_regs, belongs to; at its end too. */
static __always_inline __u32 syscall_nr(__u64 address)
{
	struct pt_regs *regs = (void *)address;

#if defined(__TARGET_ARCH_x86)
	return BPF_CORE_READ(regs, orig_ax);
#elif defined(__TARGET_ARCH_arm64)
	return BPF_CORE_READ(regs, syscallno);
#endif
}

/* The same in the body of a TRACEPOINT(sys_exit, struct pt_regs *regs, ...), by LOAD: for every call of the machine. */
#if defined(__TARGET_ARCH_x86)
#define LOAD_SYSCALL_NR(regs) LOAD(regs, orig_ax)
#elif defined(__TARGET_ARCH_arm64)
#define LOAD_SYSCALL_NR(regs) ((__u32)LOAD(regs, syscallno))
#endif

/* Is the current system call a 32-bit one, with other numbers? A probe read costs 80 instructions more than 5.11's task. */
static __always_inline bool is_compat_syscall(void)
{
	bool typed = bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf);
	struct task_struct *task;

	if (typed)
		task = bpf_get_current_task_btf();
	else
		task = (void *)bpf_get_current_task();
#if defined(__TARGET_ARCH_x86)
	if (typed)
		return task->thread_info.status & TS_COMPAT;
	return BPF_CORE_READ(task, thread_info.status) & TS_COMPAT;
#elif defined(__TARGET_ARCH_arm64)
	if (typed)
		return task->thread_info.flags & (1UL << TIF_32BIT);
	return BPF_CORE_READ(task, thread_info.flags) & (1UL << TIF_32BIT);
#endif
}

/* The current task's open file; 0 if there is none. */
static __always_inline __u64 file_of(__u32 fd)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct fdtable *fdt = BPF_CORE_READ(task, files, fdt);
	struct file *file = NULL;

	if (fd >= BPF_CORE_READ(fdt, max_fds))
		return 0;
	bpf_probe_read_kernel(&file, sizeof(file), BPF_CORE_READ(fdt, fd) + fd);
	return (__u64)file;
}

/* 6.8 gave the file in a layer of overlayfs that layer's path as f_path, and room for the path that was opened. */
struct backing_file___6_8 {
	struct path user_path;
} CORE;

/*
 * The address of the path that a file was opened by. The bit of f_mode that tells backing files has had two places, with
 * other meanings before and after: what is behind the file is taken if it is a path, of another file system.
 */
static __always_inline __u64 opened_path(struct file *file)
{
	struct backing_file___6_8 *backing = (void *)file;
	struct super_block *opened;

	if (bpf_core_field_exists(backing->user_path)) {
		opened = BPF_CORE_READ(backing, user_path.mnt, mnt_sb);
		if (opened && opened == BPF_CORE_READ(backing, user_path.dentry, d_sb) &&
		    opened != BPF_CORE_READ(file, f_inode, i_sb))
			return (__u64)file + bpf_core_field_offset(backing->user_path);
	}
	return (__u64)file + bpf_core_field_offset(file->f_path);
}

/* 7.3 took the name of the union that d_alias is in. */
struct dentry___7_2 {
	union {
		struct hlist_node d_alias;
	} d_u;
} CORE;

struct dentry___7_3 {
	struct hlist_node d_alias;
} CORE;

/* A name of an inode: a dentry, 0 if it has none. */
static __always_inline __u64 inode_alias(struct inode *inode)
{
	struct dentry___7_2 *named = NULL;
	struct dentry___7_3 *plain = NULL;
	__u64 node = (__u64)BPF_CORE_READ(inode, i_dentry.first);

	if (!node)
		return 0;
	if (bpf_core_field_exists(named->d_u.d_alias))
		return node - bpf_core_field_offset(named->d_u.d_alias);
	return node - bpf_core_field_offset(plain->d_alias);
}

/*
 * The current task's registers at its entry from user space; of no meaning in a kernel thread.
 * 5.15 added the helper. Before, they are at the end of the stack, which has 16 KiB (unless KASAN
 * is on, or pages have 64).
 */
static __always_inline __u64 task_registers(void)
{
	struct task_struct *task;

	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_task_pt_regs))
		return bpf_task_pt_regs(bpf_get_current_task_btf());
	task = (void *)bpf_get_current_task();
	return (__u64)BPF_CORE_READ(task, stack) + 16384 - bpf_core_type_size(struct pt_regs);
}

/* 6.18 replaced mnt_namespace.seq by a number that all namespaces have. */
struct mnt_namespace___6_17 {
	__u64 seq;
} CORE;

struct ns_common___6_18 {
	__u64 ns_id;
} CORE;

struct mnt_namespace___6_18 {
	struct ns_common___6_18 ns;
} CORE;

/* A mount namespace by a number that no later one gets, unlike its inum and its address. */
static __always_inline __u64 mounts_id(struct mnt_namespace *mounts)
{
	struct mnt_namespace___6_17 *old = (void *)mounts;
	struct mnt_namespace___6_18 *renamed = (void *)mounts;

	if (bpf_core_field_exists(old->seq))
		return BPF_CORE_READ(old, seq);
	return BPF_CORE_READ(renamed, ns.ns_id);
}

/* 5.14 (2f064a59a11f) renamed task_struct.state, which was a long. */
struct task_struct___5_13 {
	long state;
} CORE;

/* 0: it runs, or wants to. */
static __always_inline __u64 task_state(const bool typed, struct task_struct *task)
{
	struct task_struct___5_13 *old = (void *)task;

	if (bpf_core_field_exists(old->state))
		return LOAD(old, state);
	return LOAD(task, __state);
}

/*
 * Since 6.12 a thread that sleeps may stay in the queue for a while (152e11f6df29), and rq.nr_running still has it. Of the
 * fair class's, and of its groups', h_nr_queued has such, h_nr_runnable does not. Both came to 6.12 by its stable releases.
 */
struct cfs_rq___6_12 {
	unsigned int h_nr_queued;
	unsigned int h_nr_runnable;
} CORE;

struct rq___6_12 {
	struct cfs_rq___6_12 cfs;
} CORE;

/* Threads that want this CPU, and the one that has it. */
static __always_inline __u32 rq_runnable(const bool typed, struct rq *rq)
{
	struct rq___6_12 *delaying = (void *)rq;
	__u32 n = LOAD(rq, nr_running);

	if (bpf_core_field_exists(delaying->cfs.h_nr_runnable))
		n -= LOAD(delaying, cfs.h_nr_queued) - LOAD(delaying, cfs.h_nr_runnable);
	return n;
}
