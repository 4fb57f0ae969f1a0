// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One write in N, or one read or fsync, followed through every layer by the location of its bytes (README.md). This
 * file is the table of hooks; each one's first test is a counter that says that nothing is
 * under way. The stages are in follow/: calls.h (with path.h, syscalls.h), syncs.h
 * (with stored.h), marks.h, pieces.h, bios.h, tracks.h, stamps.h; what only a read has, in earlier.h and
 * reads.h, and what only an fsync has, in fsyncs.h. Each is the same programs, at its functions and calls.
 */
#include "core.h"

#include "follow.h"
#include "lib/block/args.h"
#include "lib/core/tracepoint.h"

#include "bios.h"
#include "calls.h"
#include "earlier.h"
#include "fsyncs.h"
#include "reads.h"
#include "stamps.h"
#include "syncs.h"
#include "syscalls.h"

/* ---- by tracepoints ---- */

TRACEPOINT(sys_enter, struct pt_regs *regs, long nr)
{
	__u32 call = nr >= 0 && nr < 512 ? calls[nr] : CALL_NONE;

	if (call == CALL_NONE)
		return 0;
	if (n_calls)
		abandon_call();
	if (call == CALL_FSYNC && !fsyncing)
		return in_flight() ? sync_syscall(arg(ctx, 0), nr) : 0;
	if (call == CALL_SYNC_ALL || call == CALL_SYNC_FS)
		return n_marks[MARK_DIRTY] ? sync_fs_syscall(arg(ctx, 0), nr, HOP_SYNC_ENTER) : 0;
	if (call == CALL_FALLOCATE)
		return 0;
	if (call == CALL_SUBMIT)
		return count_submit(arg(ctx, 0));
	if (!chosen())
		return 0;
	begin_syscall(arg(ctx, 0), nr, call);
	if (fsyncing)
		report_commit();
	return within_call() ? report_earlier() : 0;
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long ret)
{
	if (n_marks[MARK_DIRTY] && !ret && calls[LOAD_SYSCALL_NR(regs) & 511] > CALL_FSYNC)
		end_other_syscall(arg(ctx, 0));
	if (n_calls)
		end_syscall(ret, syscall_nr(arg(ctx, 0)));
	if (n_syncing)
		end_sync(ret, syscall_nr(arg(ctx, 0)));
	return 0;
}

/* ---- by functions: <fs>_file_write_iter sees aio, io_uring and splice too ---- */

__noinline int begin_iter(__u64 address, __u64 iter)
{
	struct kiocb *kiocb = (void *)address;

	return begin_call((__u64)BPF_CORE_READ(kiocb, ki_filp), BPF_CORE_READ(kiocb, ki_pos),
			  BPF_CORE_READ((struct iov_iter *)iter, count), flags_of_kiocb(kiocb), address);
}

static __always_inline int begin_at_function(__u64 kiocb, __u64 iter)
{
	begin_iter(kiocb, iter);
	return reading ? report_earlier() : 0;
}

__noinline int end_iter(__s64 ret)
{
	__u32 tid = current_tid();
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	struct kiocb *kiocb;

	if (!c)
		return 0;
	kiocb = (void *)c->kiocb;
	return end_call(ret, BPF_CORE_READ(kiocb, ki_pos));
}

/* fsync of [start, last]; an O_SYNC write and msync also come here, with their part of the file. */
__noinline int sync_file(__u64 file, __u64 start, __u64 last)
{
	__u64 end = last < FILE_END ? last + 1 : FILE_END;

	return begin_sync((__u64)BPF_CORE_READ((struct file *)file, f_mapping), start, end, 0);
}

/* sync() and syncfs() begin here: all inodes of a file system are written. */
static __always_inline int enter_sync_fs(__u64 sb)
{
	return emit_sync_fs(HOP_SYNC_ENTER, BPF_CORE_READ((struct super_block *)sb, s_dev), 0, 0);
}

static __always_inline int leave_sync_fs(__u64 sb, __s64 ret)
{
	return emit_sync_fs(HOP_SYNC_LEAVE, BPF_CORE_READ((struct super_block *)sb, s_dev), 0, ret);
}

SEC("fentry") int sync_inodes__fentry(tp_ctx *ctx)
{
	return n_marks[MARK_DIRTY] ? enter_sync_fs(arg(ctx, 0)) : 0;
}

SEC("kprobe") int sync_inodes__kprobe(struct pt_regs *ctx)
{
	return n_marks[MARK_DIRTY] ? enter_sync_fs(PT_REGS_PARM1(ctx)) : 0;
}

/* User space names the functions: one pair for each file system in use. */
#define WRITE_HOOKS(n)                                                                             \
	SEC("fentry") int write_enter_##n##__fentry(tp_ctx *ctx)                                   \
	{                                                                                          \
		if (n_calls)                                                                       \
			abandon_call();                                                            \
		if (n_refused && resume_call(arg(ctx, 0), arg(ctx, 1)))                            \
			return 0;                                                                  \
		return chosen() ? begin_at_function(arg(ctx, 0), arg(ctx, 1)) : 0;                        \
	}                                                                                          \
	SEC("kprobe") int write_enter_##n##__kprobe(struct pt_regs *ctx)                           \
	{                                                                                          \
		if (n_calls)                                                                       \
			abandon_call();                                                            \
		if (n_refused && resume_call(PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx)))              \
			return 0;                                                                  \
		return chosen() ? begin_at_function(PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx)) : 0;          \
	}                                                                                          \
	SEC("fexit") int write_leave_##n##__fexit(tp_ctx *ctx)                                     \
	{                                                                                          \
		return n_calls ? end_iter(arg(ctx, 2)) : 0;                                        \
	}                                                                                          \
	SEC("kretprobe") int write_leave_##n##__kretprobe(struct pt_regs *ctx)                     \
	{                                                                                          \
		return n_calls ? end_iter(PT_REGS_RC(ctx)) : 0;                                    \
	}                                                                                          \
	SEC("fentry") int sync_enter_##n##__fentry(tp_ctx *ctx)                                    \
	{                                                                                          \
		return in_flight() ? sync_file(arg(ctx, 0), arg(ctx, 1), arg(ctx, 2)) : 0;         \
	}                                                                                          \
	SEC("kprobe") int sync_enter_##n##__kprobe(struct pt_regs *ctx)                            \
	{                                                                                          \
		return in_flight() ? sync_file(PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx),             \
					       PT_REGS_PARM3(ctx)) : 0;                            \
	}                                                                                          \
	SEC("fexit") int sync_leave_##n##__fexit(tp_ctx *ctx)                                      \
	{                                                                                          \
		return n_syncing ? end_sync((int)arg(ctx, 4), 0) : 0;                                 \
	}                                                                                          \
	SEC("kretprobe") int sync_leave_##n##__kretprobe(struct pt_regs *ctx)                      \
	{                                                                                          \
		return n_syncing ? end_sync((int)PT_REGS_RC(ctx), 0) : 0;                             \
	}                                                                                          \
	/* (sb, wait): sync() and syncfs() end in it. No kretprobe, which does not know its sb. */ \
	SEC("fexit") int sync_fs_##n##__fexit(tp_ctx *ctx)                                         \
	{                                                                                          \
		return n_marks[MARK_DIRTY] && (int)arg(ctx, 1) ?                                   \
			       leave_sync_fs(arg(ctx, 0), (int)arg(ctx, 2)) : 0;                   \
	}

WRITE_HOOKS(0)
WRITE_HOOKS(1)
WRITE_HOOKS(2)
WRITE_HOOKS(3)
WRITE_HOOKS(4)

/* ---- the page cache ---- */

static __always_inline void emit_folio(__u32 kind, __u64 folio, __u64 id)
{
	__u64 lo = folio_index(folio) << page_shift, mapping = folio_mapping(folio);
	struct follow_hop *h = new_hop(kind);

	if (!h)
		return;
	h->id = id;
	h->mapping = mapping;
	h->lo = lo;
	h->hi = lo + (folio_pages(folio) << page_shift);
	h->object = folio;
	if (kind == HOP_END_WRITEBACK)
		h->result = BPF_CORE_READ((struct address_space *)mapping, flags) & AS_ERRORS;
	emit_submit(h, sizeof(*h));
}

__noinline int dirty_folio(__u64 folio, __u64 mapping)
{
	__u32 tid = current_tid();
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	__u64 lo, hi;

	if (!c || c->mapping != mapping)
		return 0;
	emit_folio(HOP_DIRTY, folio, c->sample);
	if (c->used == n_used || c->flags & CALL_APPEND)
		return 0;
	lo = folio_index(folio) << page_shift;
	hi = lo + (folio_pages(folio) << page_shift);
	return mark_range(mapping, lo > c->lo ? lo : c->lo, hi < c->hi ? hi : c->hi, c->sample);
}

/* Takes the marks of a folio that leaves the stage, and tells of it if there were any. */
__noinline int leave_stage(__u64 folio, __u32 stage, __u32 kind)
{
	__u64 lo = folio_index(folio) << page_shift;

	if (!use_marks(folio_mapping(folio), lo, lo + (folio_pages(folio) << page_shift), stage, 0))
		return 0;
	if (kind == HOP_DROP) /* xfs drops a large folio that it could copy only a part of, and begins again */
		__sync_fetch_and_add(&n_used, 1);
	emit_folio(kind, folio, 0);
	return 0;
}

TRACEPOINT(writeback_dirty_folio, struct folio *folio, struct address_space *mapping)
{
	return n_calls ? dirty_folio(arg(ctx, 0), arg(ctx, 1)) : 0;
}

/* 5.15 and before */
TRACEPOINT(writeback_dirty_page, struct page *page, struct address_space *mapping)
{
	return n_calls ? dirty_folio(arg(ctx, 0), arg(ctx, 1)) : 0;
}

TRACEPOINT(mm_filemap_add_to_page_cache, struct folio *folio)
{
	return n_calls ? add_folio(arg(ctx, 0)) : 0;
}

TRACEPOINT(mm_filemap_delete_from_page_cache, struct folio *folio)
{
	return n_marks[MARK_DIRTY] ? leave_stage(arg(ctx, 0), MARK_DIRTY, HOP_DROP) : 0;
}

/* No kprobe: at the entry it is not known whether the call will succeed, at the end not where it was. */
SEC("fexit") int fallocate__fexit(tp_ctx *ctx)
{
	return n_marks[MARK_DIRTY] && !(int)arg(ctx, 4) ?
		       emit_fallocate(arg(ctx, 0), arg(ctx, 1), arg(ctx, 2), arg(ctx, 3)) : 0;
}

SEC("fentry") int end_writeback__fentry(tp_ctx *ctx)
{
	return n_marks[MARK_WRITEBACK] ?
		       leave_stage(arg(ctx, 0), MARK_WRITEBACK, HOP_END_WRITEBACK) : 0;
}

SEC("kprobe") int end_writeback__kprobe(struct pt_regs *ctx)
{
	return n_marks[MARK_WRITEBACK] ?
		       leave_stage(PT_REGS_PARM1(ctx), MARK_WRITEBACK, HOP_END_WRITEBACK) : 0;
}

/* Why the flusher writes this inode. */
__noinline int flush_inode(__u64 control)
{
	struct writeback_control *wbc = (void *)control;
	__u32 tid = current_tid();
	__u32 why = CAUSE_OTHER;

	if (BPF_CORE_READ_BITFIELD_PROBED(wbc, for_kupdate))
		why = CAUSE_PERIODIC;
	else if (BPF_CORE_READ_BITFIELD_PROBED(wbc, for_background))
		why = CAUSE_BACKGROUND;
	else if (BPF_CORE_READ(wbc, sync_mode) == WB_SYNC_ALL)
		why = CAUSE_SYNC;
	bpf_map_update_elem(&flushing, &tid, &why, BPF_ANY);
	return 0;
}

TRACEPOINT(writeback_single_inode_start, struct inode *inode, struct writeback_control *wbc)
{
	return n_marks[MARK_DIRTY] ? flush_inode(arg(ctx, 1)) : 0;
}

TRACEPOINT(writeback_single_inode, struct inode *inode)
{
	return n_marks[MARK_DIRTY] ? emit_write_inode(arg(ctx, 0)) : 0;
}

/* ---- the block layer ---- */

TRACEPOINT(block_bio_queue)
{
	if (within_call())
		remember_bio(bio_arg(ctx, 1));
	return in_flight() ? queue_bio(bio_arg(ctx, 1)) : 0;
}

/* Where the kernel skipped the program of block_bio_queue, the bio is found here. Not at front merges, which are rare. */
static __always_inline int pass_queued(__u64 bio, __u32 kind)
{
	if (in_flight() && !was_queued(bio))
		queue_missed(bio);
	return n_tracks ? pass_bio(bio, kind) : 0;
}

TRACEPOINT(block_bio_remap)
{
	if (!n_tracks)
		return 0;
	return queue_args ? remap_bio(arg(ctx, 1), arg(ctx, 2), arg(ctx, 3)) :
			    remap_bio(arg(ctx, 0), arg(ctx, 1), arg(ctx, 2));
}

TRACEPOINT(block_bio_complete)
{
	if (fsyncing && n_calls)
		end_flush(arg(ctx, 1));
	return n_tracks ? complete_bio(arg(ctx, 1)) : 0;
}

TRACEPOINT(block_split)
{
	return n_tracks ? pass_bio(bio_arg(ctx, 1), HOP_SPLIT) : 0;
}

TRACEPOINT(block_getrq)
{
	return pass_queued(bio_arg(ctx, 1), HOP_GETRQ);
}

TRACEPOINT(block_bio_backmerge)
{
	return pass_queued(bio_arg(ctx, 2), HOP_MERGE);
}

TRACEPOINT(block_bio_frontmerge)
{
	return n_tracks ? pass_bio(bio_arg(ctx, 2), HOP_MERGE) : 0;
}

TRACEPOINT(block_rq_insert)
{
	return n_tracks ? pass_request(arg(ctx, 0), HOP_INSERT) : 0;
}

TRACEPOINT(block_rq_issue)
{
	if (fsyncing && n_calls)
		pass_flush(arg(ctx, 0), HOP_ISSUE);
	return n_tracks ? pass_request(arg(ctx, 0), HOP_ISSUE) : 0;
}

TRACEPOINT(block_rq_requeue)
{
	return n_tracks ? pass_request(arg(ctx, 0), HOP_REQUEUE) : 0;
}

TRACEPOINT(block_rq_complete)
{
	if (fsyncing && n_calls)
		pass_flush(arg(ctx, 0), HOP_COMPLETE);
	return n_tracks ? complete_request(arg(ctx, 0), arg(ctx, 2), (__s32)arg(ctx, 1)) : 0;
}

/* ---- the journal ---- */

TRACEPOINT(jbd2_start_commit)
{
	return begin_commit(arg(ctx, 0), arg(ctx, 1));
}

TRACEPOINT(jbd2_commit_flushing)
{
	return n_calls ? pass_commit(HOP_COMMIT_FLUSH, arg(ctx, 0), arg(ctx, 1)) : 0;
}

TRACEPOINT(jbd2_commit_logging)
{
	return n_calls ? pass_commit(HOP_COMMIT_LOG, arg(ctx, 0), arg(ctx, 1)) : 0;
}

TRACEPOINT(jbd2_end_commit)
{
	return end_commit(arg(ctx, 0), arg(ctx, 1));
}

TRACEPOINT(folio_wait_writeback, struct folio *folio, struct address_space *mapping)
{
	return n_calls ? wait_in_commit(arg(ctx, 1)) : 0;
}

/* 5.15 and before */
TRACEPOINT(wait_on_page_writeback, struct page *page, struct address_space *mapping)
{
	return n_calls ? wait_in_commit(arg(ctx, 1)) : 0;
}

/* ---- the thread ---- */

TRACEPOINT(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	if (!n_calls)
		return 0;
	if (!preempt && task_state(typed, prev))
		sleep_call(LOAD(prev, pid));
	return run_call(LOAD(next, pid), arg(ctx, 2));
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
