// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The page cache, counted in pages. A read is counted when it ends, from where it began and what
 * it returned; a page that was added meanwhile, by its task and within its range, is a miss.
 * So hits + misses = pages that were read, whatever was read ahead, and whatever the size of folios.
 *
 * It costs one program at the end of each read, which looks at task, filter and file only where they
 * matter. Rejected: no program at reads, because nothing else knows of hits; sampling, because exact
 * counts are the point; the sum of four functions as elsewhere, two of which are gone since folios.
 */
#include "fs.h"
#include "mm.h"
#include "task.h"

#include "cachestat.h"
#include "calls.h"
#include "compat.h"
#include "lib/core/counts.h"
#include "lib/core/filter.h"
#include "lib/core/start.h"
#include "lib/core/table.h"
#include "lib/core/tracepoint.h"

#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define O_DIRECT 040000
#define TMPFS_MAGIC 0x01021994
#define LOSS_GAPS LOSS_TOOL
#define RUNS 4

const volatile __u32 by;
const volatile __u32 page_shift = 12;

/* What a task's read has added so far: runs of pages, one more for each gap that was cached before. */
struct reading {
	__u32 tid; /* 0: nothing */
	__u32 n;
	__u64 mapping;
	__u64 added; /* pages */
	struct {
		__u64 first, next;
	} runs[RUNS];
};

static struct reading readings[START_LINES];

/* Lines of them in use. Mostly none, and then a read that ends need not look for its own. */
static __u64 reading_now __attribute__((aligned(64)));

/* The page that a task's last fault looked for. Nobody takes it away: a fault does not end here. */
static struct fault {
	__u64 tid, mapping, index;
} faults[START_LINES];

COUNTS(totals, struct cachestat_counts);
TABLE(parts, struct cachestat_key, struct cachestat_counts, 16384);

static __always_inline void name_file(struct cachestat_key *key, struct inode *inode)
{
	struct dentry *dentry = (void *)inode_alias(inode);
	const unsigned char *name;

	key->ino = BPF_CORE_READ(inode, i_ino);
	key->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	if (!dentry)
		return;
	name = BPF_CORE_READ(dentry, d_name.name);
	/* One byte less than the name has means that it was cut, which user space shows. */
	if (bpf_probe_read_kernel_str(key->name, sizeof(key->name), name) == sizeof(key->name))
		bpf_probe_read_kernel(key->name + sizeof(key->name) - 1, 1, name + sizeof(key->name) - 1);
}

/* Of its process or file. Not inline: what it puts on its stack would be put there for the totals, too. */
static __noinline struct cachestat_counts *part_of(__u64 mapping)
{
	const struct cachestat_counts zero = {};
	struct cachestat_key key = {};

	if (by == CACHESTAT_BY_PROCESS) {
		key.tgid = filter_pid_tgid() >> 32;
		bpf_get_current_comm(key.name, 16);
	} else {
		name_file(&key, BPF_CORE_READ((struct address_space *)mapping, host));
	}
	return table_find(&parts, &key, &zero);
}

/* Where this task's use of this file counts; NULL is a counted loss. */
static __always_inline struct cachestat_counts *counts_of(__u64 mapping)
{
	return by == CACHESTAT_BY_NOTHING ? COUNTS_HERE(totals) : part_of(mapping);
}

static __always_inline __u64 missed_of(const struct reading *r, __u64 first, __u64 next)
{
	__u64 missed = 0;
	int i;

	for (i = 0; i < RUNS; i++) {
		__u64 from = r->runs[i].first > first ? r->runs[i].first : first;
		__u64 to = r->runs[i].next < next ? r->runs[i].next : next;

		if (i < r->n && from < to)
			missed += to - from;
	}
	return missed;
}

/* Pages [first, next) were read: those of them that this task added meanwhile are misses, others that it added are not. */
static __always_inline void count_added(struct reading *r, __u64 first, __u64 next)
{
	struct cachestat_counts *n = counts_of(r->mapping);
	__u64 missed = missed_of(r, first, next);

	r->tid = 0;
	__sync_fetch_and_add(&reading_now, -1);
	if (!n)
		return;
	if (missed) /* of a constant 0 clang makes an atomic or, which 5.10 has not */
		__sync_fetch_and_add(&n->missed, missed);
	__sync_fetch_and_add(&n->ahead, r->added - missed);
}

static __always_inline void save_added(__u64 mapping, __u64 index, __u64 pages)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct reading *r = &readings[START_LINE(tid)];
	__u64 last;

	if (r->tid == tid && r->mapping != mapping)
		count_added(r, 0, 0);
	if (r->tid != tid) {
		if (!r->tid)
			__sync_fetch_and_add(&reading_now, 1);
		start_save(&r->tid, tid);
		r->mapping = mapping;
		r->added = 0;
		r->n = 0;
	}
	r->added += pages;
	last = (__u64)r->n - 1;
	barrier_var(last); /* or clang 21 compares its low half, of which the index is not */
	if (last < RUNS && r->runs[last].next == index) {
		r->runs[last].next += pages;
	} else if (r->n < RUNS) {
		last = r->n++ & (RUNS - 1);
		r->runs[last].first = index;
		r->runs[last].next = index + pages;
	} else {
		count_loss(LOSS_GAPS);
	}
}

static __always_inline __u64 page_of(__u64 byte)
{
#if defined(__TARGET_ARCH_x86)
	return byte >> 12; /* by a constant: a third of the instructions */
#else
	return byte >> page_shift;
#endif
}

/* Not inline: most reads find no work for it. */
static __noinline int end_reading(__u64 mapping, __u64 first, __u64 next)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct reading *r = &readings[START_LINE(tid)];

	if (r->tid == tid)
		count_added(r, r->mapping == mapping ? first : 0, r->mapping == mapping ? next : 0);
	return 0;
}

/* Strata's own reads, of files in /proc, do not come here. */
static __always_inline bool reads_wanted(void)
{
	return (by == CACHESTAT_BY_NOTHING && !task_filtered) || filter_passes();
}

/* What a read was of; of the last one the verifier does not know the type. */
enum { OF_KIOCB, OF_FILE, OF_UNTYPED_FILE };

static __always_inline __u64 read_mapping(const __u32 kind, void *of)
{
	if (kind == OF_KIOCB)
		return (__u64)((struct kiocb *)of)->ki_filp->f_mapping;
	if (kind == OF_FILE)
		return (__u64)((struct file *)of)->f_mapping;
	return (__u64)BPF_CORE_READ((struct file *)of, f_mapping);
}

/* A read of `bytes`, or an error, that ended at `end`. What it was of is looked at where that matters. */
static __always_inline int read_ended(const __u32 kind, void *of, __u64 end, __s64 bytes)
{
	__u64 first = 0, next = 0;
	struct cachestat_counts *n;

	if (!reads_wanted())
		return 0;
	if (bytes > 0) {
		first = page_of(end - bytes);
		next = page_of(end - 1) + 1;
		n = by == CACHESTAT_BY_NOTHING ? COUNTS_HERE(totals) : part_of(read_mapping(kind, of));
		if (n)
			__sync_fetch_and_add(&n->accessed, next - first);
	}
	return reading_now ? end_reading(read_mapping(kind, of), first, next) : 0;
}

/*
 * filemap_read() and, before 5.12, generic_file_buffered_read(): (kiocb, iter, already read). The verifier knows the
 * arguments' types: each probe read that a direct load saves is 35 instructions a read.
 */
static __always_inline int buffered_read_ended(struct kiocb *iocb, __s64 before, __s64 result)
{
	return read_ended(OF_KIOCB, iocb, iocb->ki_pos, result - before);
}

SEC("fexit/filemap_read") int filemap_read__fexit(tp_ctx *ctx)
{
	return buffered_read_ended((void *)ctx[0], ctx[2], ctx[3]);
}

SEC("fexit/generic_file_buffered_read") int generic_file_buffered_read__fexit(tp_ctx *ctx)
{
	return buffered_read_ended((void *)ctx[0], ctx[2], ctx[3]);
}

/* (file, position, pipe, len, flags); before 6.5 a splice is a read */
SEC("fexit/filemap_splice_read") int filemap_splice_read__fexit(tp_ctx *ctx)
{
	__u64 end = 0;

	bpf_probe_read_kernel(&end, sizeof(end), (void *)ctx[1]);
	return read_ended(OF_FILE, (void *)ctx[0], end, (__s64)ctx[5]);
}

static __always_inline bool in_page_cache(struct file *file)
{
	struct address_space *mapping = BPF_CORE_READ(file, f_mapping);
	struct inode *inode = BPF_CORE_READ(mapping, host);
	__u32 type = BPF_CORE_READ(inode, i_mode) & S_IFMT;

	if (type != S_IFREG && type != S_IFBLK)
		return false;
	if (!BPF_CORE_READ(mapping, nrpages) || BPF_CORE_READ(file, f_flags) & O_DIRECT)
		return false;
	return BPF_CORE_READ(inode, i_sb, s_magic) != TMPFS_MAGIC;
}

/* Without fexit: the system calls that read. */
TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	__u32 nr = LOAD_SYSCALL_NR(regs);
	struct file *file;

	if (!is_read_call(nr))
		return 0;
	if (is_compat_syscall()) /* other numbers */
		return 0;
	file = (void *)file_of(read_fd((__u64)regs, nr));
	if (!file || !in_page_cache(file))
		return 0;
	return read_ended(OF_UNTYPED_FILE, file, read_end((__u64)regs, nr, file, result),
			  result);
}

/* Is this task writing to the file? A buffered write has the inode locked, a read does not. */
static __always_inline bool locked_by_us(struct inode *inode)
{
	__u64 owner;

	if (!bpf_core_field_exists(inode->i_rwsem.owner))
		return false;
	owner = BPF_CORE_READ(inode, i_rwsem.owner.counter);
	return !(owner & RWSEM_READER_OWNED) && (owner & ~RWSEM_FLAGS) == bpf_get_current_task();
}

/* Of a block device, the pages that its file system's metadata are in are made by another way. */
static __always_inline bool holds_file(struct inode *inode, __u64 folio)
{
	__u32 type = BPF_CORE_READ(inode, i_mode) & S_IFMT;

	if (type == S_IFBLK)
		return !(folio_flags(folio) & (1ULL << bpf_core_enum_value(enum pageflags, PG_referenced)));
	return type == S_IFREG;
}

TRACEPOINT(mm_filemap_add_to_page_cache, void *added)
{
	__u64 folio = (__u64)added, mapping, index, pages;
	struct cachestat_counts *n;
	struct inode *inode;
	struct fault *fault;
	__u32 tid, kind;

	if (!filter_passes())
		return 0;
	mapping = folio_mapping(folio);
	inode = BPF_CORE_READ((struct address_space *)mapping, host);
	if (!holds_file(inode, folio))
		return 0;
	n = counts_of(mapping);
	if (!n)
		return 0;
	pages = folio_pages(folio);
	kind = current_call();
	if (kind == CALL_WRITES || locked_by_us(inode)) {
		__sync_fetch_and_add(&n->created, pages);
		return 0;
	}
	index = folio_index(folio);
	if (kind == CALL_READS) {
		save_added(mapping, index, pages);
		return 0;
	}
	tid = bpf_get_current_pid_tgid();
	fault = &faults[START_LINE(tid)];
	if (fault->tid == tid && fault->mapping == mapping && index <= fault->index && fault->index < index + pages) {
		__sync_fetch_and_add(&n->missed, 1);
		pages--;
	}
	__sync_fetch_and_add(&n->ahead, pages);
	return 0;
}

/* Since 6.10: a page fault that fault-around did not serve. */
TRACEPOINT(mm_filemap_fault, struct address_space *mapping, unsigned long index)
{
	struct cachestat_counts *n;
	struct fault *fault;
	__u32 tid;

	if (!filter_passes())
		return 0;
	n = counts_of((__u64)mapping);
	if (!n)
		return 0;
	__sync_fetch_and_add(&n->accessed, 1);
	__sync_fetch_and_add(&n->faulted, 1);
	tid = bpf_get_current_pid_tgid();
	fault = &faults[START_LINE(tid)];
	fault->tid = tid;
	fault->mapping = (__u64)mapping;
	fault->index = index;
	return 0;
}

/* All of a folio becomes dirty, as the kernel counts it (nr_dirtied of /proc/vmstat). */
static __always_inline int dirtied(__u64 folio, __u64 mapping)
{
	struct inode *inode;
	struct cachestat_counts *n;

	if (!mapping || !filter_passes())
		return 0;
	inode = BPF_CORE_READ((struct address_space *)mapping, host);
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) != S_IFREG)
		return 0;
	n = counts_of(mapping);
	if (n)
		__sync_fetch_and_add(&n->dirtied, folio_pages(folio));
	return 0;
}

TRACEPOINT(writeback_dirty_folio, void *folio, struct address_space *mapping)
{
	return dirtied((__u64)folio, (__u64)mapping);
}

TRACEPOINT(writeback_dirty_page, void *page, struct address_space *mapping)
{
	return dirtied((__u64)page, (__u64)mapping);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
