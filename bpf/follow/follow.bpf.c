// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One write in N, followed through every layer by the location of its bytes (README.md). This
 * file is the table of hooks; each one's first test is a counter that says that nothing is
 * under way. The stages are in follow/: calls.h (with path.h, stored.h), marks.h, bios.h, tracks.h, stamps.h.
 */
#include "core.h"

#include "follow.h"
#include "lib/block/args.h"
#include "lib/core/tracepoint.h"

#include "bios.h"
#include "calls.h"
#include "stamps.h"

const volatile __u8 calls[512];	 /* follow_call of each system call number */
__u64 n_submits; /* system calls that may have begun writes which are not seen */

#define FALLOC_FL_PUNCH_HOLE 0x02
#define FALLOC_FL_ZERO_RANGE 0x10
#define FALLOC_FL_WRITE_ZEROES 0x80

/* A call that succeeded. What it cuts out of a page, or of a large folio, no drop tells. */
__noinline int emit_fallocate(__u64 file, __u32 mode, __u64 pos, __u64 len)
{
	struct follow_hop *h;

	if (!(mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE | FALLOC_FL_WRITE_ZEROES)))
		return 0;
	h = new_hop(HOP_FALLOCATE);
	if (!h)
		return 0;
	h->mapping = (__u64)BPF_CORE_READ((struct file *)file, f_mapping);
	h->lo = pos;
	h->hi = pos + len;
	emit_submit(h, sizeof(*h));
	return 0;
}

static __always_inline bool chosen(void)
{
	return sampling && (every || random_hit()) && filter_passes();
}

/* ---- by tracepoints: descriptor, position, size from the registers ---- */

#define O_APPEND 02000
#define O_DSYNC 010000
#define O_DIRECT_x86 040000
#define O_DIRECT_arm64 0200000
#if defined(__TARGET_ARCH_arm64)
#define O_DIRECT O_DIRECT_arm64
#else
#define O_DIRECT O_DIRECT_x86
#endif
#define IOVEC_PART 32 /* squared, the most iovecs of a call */
#define IOVEC_END (1ULL << 63)

static __always_inline __u32 flags_of_file(struct file *file)
{
	__u32 f = BPF_CORE_READ(file, f_flags);

	return (f & O_APPEND ? CALL_APPEND : 0) | (f & O_DIRECT ? CALL_DIRECT : 0) |
	       (f & O_DSYNC ? CALL_SYNC : 0);
}

/* Of IOVEC_PART entries at most, with IOVEC_END after the last one or one that cannot be read. */
__noinline __u64 iovec_part(__u64 iov, __u64 n)
{
	__u64 bytes = 0, entry[2];
	__u32 i;

	for (i = 0; i < IOVEC_PART; i++) {
		if (i >= n || bpf_probe_read_user(entry, sizeof(entry), (void *)(iov + i * sizeof(entry))))
			return bytes | IOVEC_END;
		bytes += entry[1];
	}
	return bytes & ~IOVEC_END;
}

__noinline __u64 iovec_bytes(__u64 iov, __u64 n)
{
	__u64 bytes = 0, part;
	__u32 i;

	for (i = 0; i < IOVEC_PART * IOVEC_PART; i += IOVEC_PART) {
		part = iovec_part(iov + i * 16, n - i);
		bytes += part & ~IOVEC_END;
		if (part & IOVEC_END)
			break;
	}
	return bytes;
}

__noinline int begin_syscall(__u64 regs, __u32 nr, __u32 call)
{
	__u64 pos = 0, len = syscall_arg(regs, 2), file;
	__u32 flags = 0, more;

	file = file_of(syscall_arg(regs, call == CALL_SPLICE ? 2 : 0));
	if (!file || is_compat_syscall())
		return 0;
	flags = flags_of_file((void *)file);
	if (call == CALL_WRITEV || call == CALL_PWRITEV || call == CALL_PWRITEV2)
		len = iovec_bytes(syscall_arg(regs, 1), len);
	else if (call == CALL_SENDFILE)
		len = syscall_arg(regs, 3);
	else if (call == CALL_SPLICE)
		len = syscall_arg(regs, 4);
	if (call == CALL_PWRITE || call == CALL_PWRITEV || call == CALL_PWRITEV2) {
		pos = syscall_arg(regs, 3);
		flags |= CALL_POSITIONED;
	}
	if (call == CALL_PWRITEV2) {
		more = syscall_arg(regs, 5);
		if ((__s64)pos == -1)
			flags &= ~CALL_POSITIONED;
		flags |= (more & IOCB_APPEND ? CALL_APPEND : 0) |
			 (more & (IOCB_DSYNC | IOCB_SYNC) ? CALL_SYNC : 0);
	}
	if (call == CALL_SPLICE && syscall_arg(regs, 3)) {
		bpf_probe_read_user(&pos, sizeof(pos), (void *)syscall_arg(regs, 3));
		flags |= CALL_POSITIONED;
	}
	if (!(flags & CALL_POSITIONED))
		pos = BPF_CORE_READ((struct file *)file, f_pos);
	return begin_call(file, pos, len, flags | nr << 16, 0);
}

/* Where the bytes ended: the file's position moved there, or the argument says it. */
__noinline int end_syscall(__s64 ret, __u32 nr)
{
	__u32 tid = current_tid();
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	struct file *file;
	__u64 end;

	if (!c)
		return 0;
	if (c->nr != nr)
		return abandon_call();
	file = (void *)c->file;
	if (!(c->flags & CALL_POSITIONED))
		end = BPF_CORE_READ(file, f_pos);
	else if (c->flags & CALL_APPEND)
		end = BPF_CORE_READ(file, f_inode, i_size);
	else
		end = c->lo + ret;
	if (ret > 0 && end - ret != c->lo &&
	    (!(c->flags & CALL_APPEND) || c->flags & CALL_POSITIONED))
		c->flags |= CALL_UNSURE;
	return end_call(ret, end);
}

__noinline int sync_syscall(__u64 regs, __u32 nr)
{
	__u64 file = file_of(syscall_arg(regs, 0));

	if (!file || is_compat_syscall())
		return 0;
	return begin_sync((__u64)BPF_CORE_READ((struct file *)file, f_mapping), 0, FILE_END, nr);
}

__noinline int count_submit(__u64 regs)
{
	if (sampling && syscall_arg(regs, 1) && filter_passes())
		__sync_fetch_and_add(&n_submits, 1);
	return 0;
}

TRACEPOINT(sys_enter, struct pt_regs *regs, long nr)
{
	__u32 call = nr >= 0 && nr < 512 ? calls[nr] : CALL_NONE;

	if (call == CALL_NONE)
		return 0;
	if (n_calls)
		abandon_call();
	if (call == CALL_FSYNC)
		return in_flight() ? sync_syscall(arg(ctx, 0), nr) : 0;
	if (call == CALL_FALLOCATE)
		return 0;
	if (call == CALL_SUBMIT)
		return count_submit(arg(ctx, 0));
	return chosen() ? begin_syscall(arg(ctx, 0), nr, call) : 0;
}

__noinline int fallocate_syscall(__u64 regs)
{
	__u64 file;

	if (calls[syscall_nr(regs) & 511] != CALL_FALLOCATE || is_compat_syscall())
		return 0;
	file = file_of(syscall_arg(regs, 0));
	return file ? emit_fallocate(file, syscall_arg(regs, 1), syscall_arg(regs, 2), syscall_arg(regs, 3)) : 0;
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long ret)
{
	if (n_marks[MARK_DIRTY] && !ret)
		fallocate_syscall(arg(ctx, 0));
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

/* User space names the functions: one pair for each file system in use. */
#define WRITE_HOOKS(n)                                                                             \
	SEC("fentry") int write_enter_##n##__fentry(tp_ctx *ctx)                                   \
	{                                                                                          \
		if (n_calls)                                                                       \
			abandon_call();                                                            \
		if (n_refused && resume_call(arg(ctx, 0), arg(ctx, 1)))                            \
			return 0;                                                                  \
		return chosen() ? begin_iter(arg(ctx, 0), arg(ctx, 1)) : 0;                        \
	}                                                                                          \
	SEC("kprobe") int write_enter_##n##__kprobe(struct pt_regs *ctx)                           \
	{                                                                                          \
		if (n_calls)                                                                       \
			abandon_call();                                                            \
		if (n_refused && resume_call(PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx)))              \
			return 0;                                                                  \
		return chosen() ? begin_iter(PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx)) : 0;          \
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
	}

WRITE_HOOKS(0)
WRITE_HOOKS(1)
WRITE_HOOKS(2)
WRITE_HOOKS(3)
WRITE_HOOKS(4)

/* ---- the page cache ---- */

static __always_inline void emit_folio(__u32 kind, __u64 folio, __u64 id)
{
	__u64 lo = folio_index(folio) << page_shift;
	struct follow_hop *h = new_hop(kind);

	if (!h)
		return;
	h->id = id;
	h->mapping = folio_mapping(folio);
	h->lo = lo;
	h->hi = lo + (folio_pages(folio) << page_shift);
	h->object = folio;
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

	if (use_marks(folio_mapping(folio), lo, lo + (folio_pages(folio) << page_shift), stage, 0))
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

/* ---- the block layer ---- */

TRACEPOINT(block_bio_queue)
{
	return in_flight() ? queue_bio(bio_arg(ctx, 1)) : 0;
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
	return n_tracks ? complete_bio(arg(ctx, 1)) : 0;
}

TRACEPOINT(block_split)
{
	return n_tracks ? pass_bio(bio_arg(ctx, 1), HOP_SPLIT) : 0;
}

TRACEPOINT(block_getrq)
{
	return n_tracks ? pass_bio(bio_arg(ctx, 1), HOP_GETRQ) : 0;
}

TRACEPOINT(block_bio_backmerge)
{
	return n_tracks ? pass_bio(bio_arg(ctx, 2), HOP_MERGE) : 0;
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
	return n_tracks ? pass_request(arg(ctx, 0), HOP_ISSUE) : 0;
}

TRACEPOINT(block_rq_requeue)
{
	return n_tracks ? pass_request(arg(ctx, 0), HOP_REQUEUE) : 0;
}

TRACEPOINT(block_rq_complete)
{
	return n_tracks ? complete_request(arg(ctx, 0), arg(ctx, 2), (__s32)arg(ctx, 1)) : 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
