/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The system-call stage: chooses the sample, knows which call of which task it is, and where in
 * the file its bytes are. The marks of a write are set before the copy, because an O_SYNC write is on the
 * device when it returns; if a bio used marks meanwhile, they are set again at the end, because
 * that bio may have been built before the copy. User space decides which of the two it was.
 */
#pragma once

#include "compat.h"
#include "core.h"
#include "block.h"
#include "follow.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "marks.h"
#include "path.h"
#include "sample.h"
#include "stored.h"

#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000

const volatile bool reading;	/* reads are followed, not writes */
const volatile bool fsyncing;	/* fsyncs are */

/* Is all that has to do with a sample over when its call is? */
static __always_inline bool within_call(void)
{
	return reading || fsyncing;
}

struct call {
	__u64 sample;
	__u64 file;
	__u64 kiocb;
	__u64 mapping;
	__u64 lo, hi; /* intended */
	__u64 used;   /* n_used at the start */
	__u64 sent;   /* bytes in O_DIRECT bios so far */
	__u64 added, added_end, added_ns; /* bytes that a read put into the page cache, not told yet */
	__u32 flags;
	__u32 nr; /* of the system call; 0 by functions */
	__u32 asleep;
	__u32 disk; /* of the file system, of an fsync */
};

/* By thread; deleted when the call returns. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct call);
} calls_active SEC(".maps");

/* Samples whose kiocb was refused with -EAGAIN and may come again; LRU as it may not. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, __u64);
} refused SEC(".maps");

static __u32 n_calls, n_direct, n_refused;

static __always_inline __u32 followed_op(void)
{
	return reading ? REQ_OP_READ : REQ_OP_WRITE;
}

static __always_inline void fill_hop(struct follow_hop *h, __u32 kind)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	__builtin_memset(h, 0, sizeof(*h));
	h->ts_ns = bpf_ktime_get_ns();
	h->kind = kind;
	h->cpu = bpf_get_smp_processor_id();
	h->tgid = pid_tgid >> 32;
	h->tid = pid_tgid;
	bpf_get_current_comm(h->comm, sizeof(h->comm));
}

static __always_inline struct follow_hop *new_hop(__u32 kind)
{
	struct follow_hop *h = emit_reserve(sizeof(*h));

	if (h)
		fill_hop(h, kind);
	return h;
}

static __always_inline bool followable(struct file *file, __u32 *flags)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	__u32 type = BPF_CORE_READ(inode, i_mode) & S_IFMT;

	if (type == S_IFBLK)
		*flags |= CALL_DEVICE;
	else if ((type != S_IFREG && !(fsyncing && type == S_IFDIR)) ||
		 !(BPF_CORE_READ(inode, i_sb, s_type, fs_flags) & FS_REQUIRES_DEV))
		return false;
	return !root_inode || below_root((__u64)file);
}

static __always_inline void emit_start(struct call *c, struct file *file)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	struct follow_start *s = emit_reserve(sizeof(*s));
	struct path_place opened = {};

	if (!s)
		return;
	fill_hop(&s->hop, HOP_ENTER);
	s->hop.id = c->sample;
	s->hop.mapping = c->mapping;
	s->hop.lo = c->lo;
	s->hop.hi = c->hi;
	s->hop.flags = c->flags;
	s->hop.dev = c->disk;
	s->hop.sectors = 1U << (page_shift - 9);
	s->hop.call = c->nr;
	s->inode = BPF_CORE_READ(inode, i_ino);
	s->generation = BPF_CORE_READ(inode, i_generation);
	s->fs_dev = BPF_CORE_READ(inode, i_sb, s_dev);
	read_opened_path(&opened, file);
	path_fill(&s->path, opened.dentry, mount_of(opened.mnt));
	emit_submit(s, sizeof(*s));
}

static __always_inline void emit_call(__u32 kind, struct call *c, __s64 result)
{
	struct follow_hop *h = new_hop(kind);

	if (!h)
		return;
	h->id = c->sample;
	h->mapping = c->mapping;
	h->lo = c->lo;
	h->hi = c->hi;
	h->flags = c->flags;
	h->result = result;
	emit_submit(h, sizeof(*h));
}

static __always_inline bool enter_active(struct call *c)
{
	__u32 tid = current_tid();

	if (bpf_map_update_elem(&calls_active, &tid, c, BPF_NOEXIST))
		return false;
	__sync_fetch_and_add(&n_calls, 1);
	if (c->flags & CALL_DIRECT)
		__sync_fetch_and_add(&n_direct, 1);
	return true;
}

static __u32 readers[1024]; /* sampled reads or fsyncs under way, by the hash of their file */

static __always_inline __u32 *readers_of(__u64 mapping)
{
	return &readers[(mapping >> 6) * 0x9e3779b97f4a7c15ULL >> 54];
}

static __u32 syncers[1024]; /* sampled fsyncs under way, by the hash of their disk */

static __always_inline __u32 *syncers_of(__u32 disk)
{
	return &syncers[disk * 0x9e3779b97f4a7c15ULL >> 54];
}

static __always_inline void count_within_call(const struct call *c, __u32 by)
{
	__sync_fetch_and_add(readers_of(c->mapping), by);
	if (fsyncing)
		__sync_fetch_and_add(syncers_of(c->disk), by);
}

/* Moves the sampled call of this thread to *c; false if there is none. */
static __always_inline bool leave_active(struct call *c)
{
	__u32 tid = current_tid();
	struct call *active = bpf_map_lookup_elem(&calls_active, &tid);

	if (!active)
		return false;
	*c = *active;
	if (bpf_map_delete_elem(&calls_active, &tid))
		return false;
	__sync_fetch_and_add(&n_calls, -1);
	if (c->flags & CALL_DIRECT)
		__sync_fetch_and_add(&n_direct, -1);
	if (within_call())
		count_within_call(c, -1);
	return true;
}

/* Forgets the marks that nothing will use: of what was not written, or is durable already. */
static __always_inline void unmark_rest(struct call *c, __u64 from, __u64 to)
{
	if (from < to)
		use_marks(c->mapping, from, to, MARK_OWN, c->sample);
}

/*
 * The thread is in another call, or begins one: the kernel skipped the program at the end of the
 * sampled one. The result of another call must not be taken for its own.
 */
__noinline int abandon_call(void)
{
	struct call c;

	if (!leave_active(&c))
		return 0;
	emit_call(HOP_ABANDONED, &c, 0);
	if (!within_call())
		unmark_rest(&c, c.lo, c.hi);
	return 0;
}

/* 0, or the loss that was counted. */
static __always_inline __u32 mark_call(struct call *c)
{
	if (c->hi - c->lo > MARK_BYTES) {
		count_loss(LOSS_TOO_LARGE);
		return LOSS_TOO_LARGE;
	}
	return mark_range(c->mapping, c->lo, c->hi, c->sample) ? LOSS_MARKS_FULL : 0;
}

/*
 * Sets the marks of a write that begins, or says that it will not be followed. A read needs none: it is over before long, and so
 * are the bios of its file that have to do with it. Each is told, as long as the read is under way. So it is with an fsync.
 */
static __always_inline void follow_call(struct call *c)
{
	__u32 loss;

	if (within_call()) {
		count_within_call(c, 1);
		return;
	}
	loss = mark_call(c);
	if (loss)
		emit_call(HOP_UNKEPT, c, loss);
}

static __always_inline __u32 disk_of_file(struct file *file)
{
	struct block_device *device = BPF_CORE_READ(file, f_inode, i_sb, s_bdev);

	return device ? disk_dev(false, BPF_CORE_READ(device, bd_disk)) : 0;
}

/* Which bytes of which file the call intends to write. */
static __always_inline void place_call(struct call *c, struct file *file, __u64 pos, __u64 len)
{
	c->file = (__u64)file;
	c->mapping = (__u64)BPF_CORE_READ(file, f_mapping);
	c->lo = c->flags & CALL_APPEND ? (__u64)BPF_CORE_READ(file, f_inode, i_size) : pos;
	c->hi = c->lo + len;
	c->used = n_used;
	if (fsyncing)
		c->disk = disk_of_file(file);
}

/*
 * A followable call begins. `how` is follow_flag | system call << 16. With a random choice the
 * caller has already found that this one is hit.
 */
__noinline int begin_call(__u64 address, __u64 pos, __u64 len, __u32 how, __u64 kiocb)
{
	struct file *file = (void *)address;
	struct call c = {};

	c.flags = how & 0xffff;
	c.nr = how >> 16;
	if (!followable(file, &c.flags))
		return 0;
	if (every && !every_hit())
		return 0;
	if (limit && n_sampled >= limit)
		return 0;
	c.kiocb = kiocb;
	place_call(&c, file, pos, len);
	c.sample = next_sample();
	if (!enter_active(&c)) {
		count_loss(LOSS_CALLS_FULL);
		return 0;
	}
	emit_start(&c, file);
	follow_call(&c);
	return 0;
}

#define IOCB_DSYNC 2 /* the same bits as RWF_DSYNC, RWF_SYNC, RWF_APPEND */
#define IOCB_SYNC 4
#define IOCB_APPEND 16

static __always_inline __u32 flags_of_kiocb(struct kiocb *kiocb)
{
	__u32 iocb = BPF_CORE_READ(kiocb, ki_flags);
	__u32 flags = (iocb & IOCB_DIRECT ? CALL_DIRECT : 0) |
		      (BPF_CORE_READ(kiocb, ki_complete) ? CALL_ASYNC : 0);

	if (reading)
		return flags;
	return flags | (iocb & IOCB_APPEND ? CALL_APPEND : 0) |
	       (iocb & (IOCB_DSYNC | IOCB_SYNC) ? CALL_SYNC : 0);
}

/* The same kiocb again after -EAGAIN: io_uring asks without waiting first. 1 if it is one of ours. */
__noinline int resume_call(__u64 address, __u64 iter)
{
	__u64 *sample = bpf_map_lookup_elem(&refused, &address);
	struct kiocb *kiocb = (void *)address;
	struct call c = {};

	if (!sample)
		return 0;
	c.sample = *sample;
	if (!bpf_map_delete_elem(&refused, &address))
		__sync_fetch_and_add(&n_refused, -1);
	c.flags = flags_of_kiocb(kiocb);
	c.kiocb = address;
	place_call(&c, BPF_CORE_READ(kiocb, ki_filp), BPF_CORE_READ(kiocb, ki_pos),
		   BPF_CORE_READ((struct iov_iter *)iter, count));
	if (!enter_active(&c))
		return 1;
	emit_call(HOP_AGAIN, &c, 0);
	follow_call(&c);
	return 1;
}

#define EAGAIN 11
#define EIOCBQUEUED 529

/* The bytes that were written end at `end`; ret as the system call or write_iter returns it. */
static __always_inline void set_written(struct call *c, __s64 ret, __u64 end)
{
	__u64 lo = end - ret;

	if (lo != c->lo) { /* O_APPEND: the position was a guess */
		unmark_rest(c, c->lo, c->hi);
		c->lo = lo;
		c->hi = end;
		c->flags |= CALL_STIRRED;
		return;
	}
	unmark_rest(c, ((end - 1) | ((1ULL << mark_shift(c->mapping)) - 1)) + 1, c->hi);
	c->hi = end;
}

/* What a read put into the page cache. */
static __always_inline void emit_added(struct call *c)
{
	struct file *file = (void *)c->file;
	struct follow_hop *h;

	if (c->added == c->added_end)
		return;
	h = emit_reserve(sizeof(*h));
	if (!h)
		return;
	fill_hop(h, HOP_ADD);
	h->ts_ns = c->added_ns;
	h->id = c->sample;
	h->mapping = c->mapping;
	h->lo = c->added;
	h->hi = c->added_end;
	h->result = BPF_CORE_READ(file, f_inode, i_size);
	emit_submit(h, sizeof(*h));
}

/* io_uring asks for a buffered read again when the page that it waits for is there. */
static __always_inline bool comes_again(const struct call *c, __s64 ret)
{
	if (!(c->flags & CALL_ASYNC))
		return false;
	return ret == -EAGAIN || (reading && ret == -EIOCBQUEUED && !(c->flags & CALL_DIRECT));
}

__noinline int end_read(__s64 ret, __u64 end)
{
	struct call c;

	if (!leave_active(&c))
		return 0;
	if (comes_again(&c, ret) && !bpf_map_update_elem(&refused, &c.kiocb, &c.sample, BPF_ANY))
		__sync_fetch_and_add(&n_refused, 1);
	emit_added(&c);
	if (ret > 0 && !(c.flags & CALL_UNSURE)) {
		c.lo = end - ret;
		c.hi = end;
	}
	emit_call(HOP_LEAVE, &c, ret);
	return 0;
}

__noinline int end_write(__s64 ret, __u64 end)
{
	struct call c;
	struct file *file;

	if (!leave_active(&c))
		return 0;
	file = (void *)c.file;
	if (comes_again(&c, ret) && !bpf_map_update_elem(&refused, &c.kiocb, &c.sample, BPF_ANY))
		__sync_fetch_and_add(&n_refused, 1);
	if (ret > 0 && !(c.flags & CALL_UNSURE))
		set_written(&c, ret, end);
	if (ret > 0 && !(c.flags & (CALL_DIRECT | CALL_SYNC)) && c.used != n_used)
		c.flags |= CALL_STIRRED;
	if (ret > 0 && c.flags & CALL_SYNC)
		c.flags |= stored_where((__u64)BPF_CORE_READ(file, f_inode));
	emit_call(HOP_LEAVE, &c, ret);
	if (ret <= 0 || c.flags & (CALL_DIRECT | CALL_SYNC | CALL_UNSURE))
		unmark_rest(&c, c.lo, c.hi);
	else if (c.flags & CALL_STIRRED && mark_range(c.mapping, c.lo, c.hi, c.sample))
		emit_call(HOP_UNKEPT, &c, LOSS_MARKS_FULL);
	return 0;
}

static __always_inline int end_call(__s64 ret, __u64 end)
{
	return within_call() ? end_read(ret, end) : end_write(ret, end);
}
