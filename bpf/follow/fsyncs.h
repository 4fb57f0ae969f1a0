/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a sampled fsync waits for beside the pages of its file: a commit of the journal, which writes others' pages, too,
 * the metadata that file systems write in its place, and the flush of the device's cache.
 */
#pragma once

#include "block.h"
#include "calls.h"
#include "compat.h"
#include "core.h"
#include "follow.h"
#include "lib/core/emit.h"
#include "path.h"

struct commit {
	__u64 since_ns;
	__u32 tid;
	__u32 number;
	char comm[16];
};

/* Commits under way, by the device number of the file system; LRU, as the program at the end may be skipped. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 256);
	__type(key, __u32);
	__type(value, struct commit);
} commits SEC(".maps");

/* The threads that commit. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 256);
	__type(key, __u32);
	__type(value, __u8);
} committing SEC(".maps");

/* Bios that are a flush alone: their track ids. Known by their address until they complete. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 256);
	__type(key, __u64);
	__type(value, __u64);
} flushes SEC(".maps");

static __always_inline __u32 fs_of_journal(__u64 journal)
{
	if (!bpf_core_type_exists(struct journal_s))
		return 0;
	return BPF_CORE_READ((struct journal_s *)journal, j_fs_dev, bd_dev);
}

static __always_inline __u32 number_of_transaction(__u64 transaction)
{
	if (!bpf_core_type_exists(struct transaction_s))
		return 0;
	return BPF_CORE_READ((struct transaction_s *)transaction, t_tid);
}

/* By the thread that commits. */
static __always_inline int emit_commit(__u32 kind, __u32 fs, __u32 number)
{
	struct follow_hop *h = new_hop(kind);

	if (!h)
		return 0;
	h->id = number;
	h->parent = fs;
	emit_submit(h, sizeof(*h));
	return 0;
}

__noinline int begin_commit(__u64 journal, __u64 transaction)
{
	struct commit c = {.number = number_of_transaction(transaction)};
	__u32 fs = fs_of_journal(journal);
	__u8 one = 1;

	c.since_ns = bpf_ktime_get_ns();
	c.tid = current_tid();
	bpf_get_current_comm(c.comm, sizeof(c.comm));
	bpf_map_update_elem(&commits, &fs, &c, BPF_ANY);
	bpf_map_update_elem(&committing, &c.tid, &one, BPF_ANY);
	return n_calls ? emit_commit(HOP_COMMIT_START, fs, c.number) : 0;
}

__noinline int pass_commit(__u32 kind, __u64 journal, __u64 transaction)
{
	return emit_commit(kind, fs_of_journal(journal), number_of_transaction(transaction));
}

__noinline int end_commit(__u64 journal, __u64 transaction)
{
	__u32 fs = fs_of_journal(journal), tid = current_tid();

	bpf_map_delete_elem(&commits, &fs);
	bpf_map_delete_elem(&committing, &tid);
	return n_calls ? emit_commit(HOP_COMMIT_END, fs, number_of_transaction(transaction)) : 0;
}

/* A commit that is under way when this thread's fsync begins, as it was when it began itself. */
__noinline int report_commit(void)
{
	__u32 tid = current_tid(), fs;
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	struct commit *under_way;
	struct follow_hop *h;
	struct file *file;

	if (!c)
		return 0;
	file = (void *)c->file;
	fs = BPF_CORE_READ(file, f_inode, i_sb, s_dev);
	under_way = bpf_map_lookup_elem(&commits, &fs);
	if (!under_way)
		return 0;
	h = new_hop(HOP_COMMIT_START);
	if (!h)
		return 0;
	h->ts_ns = under_way->since_ns;
	h->id = under_way->number;
	h->parent = fs;
	h->tgid = h->tid = under_way->tid;
	__builtin_memcpy(h->comm, under_way->comm, sizeof(h->comm));
	emit_submit(h, sizeof(*h));
	return 0;
}

#define REQ_FLAG(name) (1U << bpf_core_enum_value(enum req_flag_bits, __REQ_##name))

/* What of a bio's flags tells that somebody waits for it, or what it is for. xfs writes metadata back without REQ_SYNC. */
static __always_inline __u32 sync_flags(__u32 opf)
{
	return ((opf & REQ_FLAG(META)) && (opf & REQ_FLAG(SYNC)) ? BIO_META : 0) |
	       (opf & 1U << __REQ_PREFLUSH ? BIO_FLUSH : 0) | (opf & REQ_FLAG(FUA) ? BIO_FUA : 0);
}

/* A bio of no sampled file: of a thread in a sampled fsync, of one that commits, or of what file systems write for somebody who waits. */
static __always_inline bool is_for_fsync(__u32 disk, __u32 flags)
{
	__u32 tid = current_tid();

	if (!n_calls)
		return false;
	return (flags && *syncers_of(disk)) || bpf_map_lookup_elem(&calls_active, &tid) ||
	       bpf_map_lookup_elem(&committing, &tid);
}

/* Which file it is whose pages a commit writes or waits for: by the name that its inode has, if any. */
__noinline int emit_file(__u64 address)
{
	struct address_space *mapping = (void *)address;
	struct inode *inode = BPF_CORE_READ(mapping, host);
	struct follow_start *s;
	__u64 dentry;

	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) != S_IFREG)
		return 0;
	s = emit_reserve(sizeof(*s));
	if (!s)
		return 0;
	dentry = (__u64)inode_alias(inode);
	fill_hop(&s->hop, HOP_FILE);
	s->hop.mapping = address;
	s->inode = BPF_CORE_READ(inode, i_ino);
	s->generation = BPF_CORE_READ(inode, i_generation);
	s->fs_dev = BPF_CORE_READ(inode, i_sb, s_dev);
	if (dentry) {
		path_fill(&s->path, dentry, 0);
	} else {
		s->path.bytes = 0;
		s->path.whole = 0;
	}
	emit_submit(s, sizeof(*s));
	return 0;
}

/* A thread waits for the writeback of a page: ext4 commits no block before the data in it, whoever writes them. */
__noinline int wait_in_commit(__u64 mapping)
{
	__u32 tid = current_tid();
	struct follow_hop *h;

	if (!mapping || !bpf_map_lookup_elem(&committing, &tid))
		return 0;
	emit_file(mapping);
	h = new_hop(HOP_COMMIT_WAIT);
	if (!h)
		return 0;
	h->mapping = mapping;
	emit_submit(h, sizeof(*h));
	return 0;
}

static __always_inline void emit_flush_end(__u64 id)
{
	struct follow_hop *h = new_hop(HOP_BIO_COMPLETE);

	if (!h)
		return;
	h->id = id;
	emit_submit(h, sizeof(*h));
}

/* A bio has completed: was it a flush alone? */
__noinline int end_flush(__u64 bio)
{
	__u64 *id = bpf_map_lookup_elem(&flushes, &bio), known;

	if (!id)
		return 0;
	known = *id;
	if (!bpf_map_delete_elem(&flushes, &bio))
		emit_flush_end(known);
	return 0;
}

/* The device's own flush, which serves all who wait for one, or the end of the request that asked for it. */
__noinline int pass_flush(__u64 address, __u32 kind)
{
	struct request *rq = (void *)address;
	__u32 opf = BPF_CORE_READ(rq, cmd_flags), disk;
	struct follow_hop *h;

	if ((opf & REQ_OP_MASK) != REQ_OP_FLUSH)
		return kind == HOP_COMPLETE && !BPF_CORE_READ(rq, __data_len) ? end_flush((__u64)BPF_CORE_READ(rq, bio)) : 0;
	disk = request_dev(false, rq);
	if (!*syncers_of(disk))
		return 0;
	h = new_hop(kind);
	if (!h)
		return 0;
	h->object = address;
	h->dev = disk;
	h->opf = opf;
	emit_submit(h, sizeof(*h));
	return 0;
}
