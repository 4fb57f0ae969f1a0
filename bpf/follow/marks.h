/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The page-cache stage: a mark says that a page holds sampled bytes that no bio carries yet
 * (MARK_DIRTY), or that a bio carries and whose writeback has not ended (MARK_WRITEBACK). Where the
 * blocks of the file system are smaller, it says it of a block: several bios may carry those of a page.
 * Inserting and deleting a hash element are atomic on every kernel, so a mark is used exactly
 * once. `marked` counts marks by hashed chunk of a file: a bio of 1 MiB of unmarked pages
 * costs four loads, not 256 lookups.
 */
#pragma once

#include "core.h"
#include "follow.h"
#include "lib/core/emit.h"

#define CHUNK_SHIFT 6 /* pages in a chunk, log2 */
#define CHUNK_PAGES (1 << CHUNK_SHIFT)
#define WALK_CHUNKS 32 /* of one function; squared, the longest range of a walk: 256 MiB */
#define MARK_BYTES (64ULL << 20) /* most of one sample, of which a walk reaches all blocks */
#define MARK_LEAST_SHIFT 10
#define MARK_BUCKETS 4096

/* MARK_OWN is no stage: it walks the dirty marks of one sample, to forget them. */
enum { MARK_DIRTY, MARK_WRITEBACK, MARK_OWN };

const volatile __u32 page_shift = 12;

/* Of the bytes that a mark of this file stands for: log2. A function of its own, as stack is short where it is asked for. */
__noinline int mark_shift(__u64 mapping)
{
	__u8 bits = BPF_CORE_READ((struct address_space *)mapping, host, i_blkbits);

	return bits >= MARK_LEAST_SHIFT && bits < page_shift ? bits : page_shift;
}

struct mark {
	__u64 mapping;
	__u64 page; /* index in the file, or of the block */
	__u32 stage;
	__u32 zero;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, struct mark);
	__type(value, __u64); /* the sample that marked it, 0 once there are several */
} marks SEC(".maps");

static __u32 marked[MARK_BUCKETS];
static __u32 n_marks[2]; /* by stage; the first test of every hook below the system call */
static __u64 n_used;	  /* dirty marks that bios have used so far */

static __always_inline __u32 *bucket_of(__u64 mapping, __u64 page)
{
	__u64 hash = ((mapping >> 6) + (page >> CHUNK_SHIFT)) * 0x9e3779b97f4a7c15ULL;

	return &marked[(hash >> 52) & (MARK_BUCKETS - 1)];
}

/*
 * Each loop has its body in a function of its own, which the verifier checks once: with the
 * branches inside the loop it would walk every path through every iteration. It also walks
 * every iteration: a long loop is two short ones, one in a function that the other calls.
 */

/* 0, or -1 when there is no room. A mark that is there may be used up before it is looked at: again. */
__noinline int mark_page(__u64 mapping, __u64 page, __u64 sample, __u32 stage)
{
	struct mark key = {.mapping = mapping, .page = page, .stage = stage};
	__u64 *owner;
	__u32 i;

	for (i = 0; i < 3; i++) {
		if (!bpf_map_update_elem(&marks, &key, &sample, BPF_NOEXIST)) {
			__sync_fetch_and_add(bucket_of(mapping, page), 1);
			__sync_fetch_and_add(&n_marks[stage & 1], 1);
			return 0;
		}
		owner = bpf_map_lookup_elem(&marks, &key);
		if (owner) {
			if (*owner != sample)
				*owner = 0;
			return 0;
		}
	}
	return -1;
}

/* Pages [page, end), at most a chunk. 0, or -1 when there is no room. */
__noinline int mark_chunk(__u64 mapping, __u64 page, __u64 end, __u64 sample)
{
	__u32 i;

	for (i = 0; i < CHUNK_PAGES; i++) {
		if (page + i >= end)
			return 0;
		if (mark_page(mapping, page + i, sample, MARK_DIRTY))
			return -1;
	}
	return 0;
}

/* Pages [page, end), at most WALK_CHUNKS chunks. */
__noinline int mark_chunks(__u64 mapping, __u64 page, __u64 end, __u64 sample)
{
	__u32 i;

	for (i = 0; i < WALK_CHUNKS; i++) {
		if (page >= end)
			return 0;
		if (mark_chunk(mapping, page, end, sample))
			return -1;
		page += CHUNK_PAGES;
	}
	return 0;
}

/* Marks bytes [lo, hi). */
__noinline int mark_range(__u64 mapping, __u64 lo, __u64 hi, __u64 sample)
{
	__u32 shift = mark_shift(mapping);
	__u64 page = lo >> shift;
	__u64 end = (hi + (1ULL << shift) - 1) >> shift;
	__u32 i;

	for (i = 0; i < WALK_CHUNKS; i++) {
		if (page >= end)
			return 0;
		if (mark_chunks(mapping, page, end, sample)) {
			count_loss(LOSS_MARKS_FULL);
			return -1;
		}
		page += WALK_CHUNKS * CHUNK_PAGES;
	}
	return 0;
}

/*
 * 1 if the page was marked. With `again` it goes on to MARK_WRITEBACK. Of MARK_OWN `again` is the
 * sample: a mark that is its alone goes; one that others need stays, and costs them nothing.
 */
__noinline int use_page(__u64 mapping, __u64 page, __u32 stage, __u64 again)
{
	const bool own = stage == MARK_OWN;
	struct mark key = {
		.mapping = mapping,
		.page = page,
		.stage = own ? MARK_DIRTY : stage,
	};
	__u64 *owner;

	if (own) {
		owner = bpf_map_lookup_elem(&marks, &key);
		if (!owner || *owner != again)
			return 0;
	}
	if (bpf_map_delete_elem(&marks, &key))
		return 0;
	__sync_fetch_and_add(bucket_of(mapping, page), -1);
	__sync_fetch_and_add(&n_marks[key.stage & 1], -1);
	if (again && !own && mark_page(mapping, page, again, MARK_WRITEBACK))
		count_loss(LOSS_MARKS_FULL);
	return 1;
}

/* The first page of the next chunk of the file. */
static __always_inline __u64 next_chunk(__u64 page)
{
	return (page | (CHUNK_PAGES - 1)) + 1;
}

/* From `page` to the end of its chunk, at most to `end`. */
__noinline int use_chunk(__u64 mapping, __u64 page, __u64 end, __u32 stage, __u64 again)
{
	__u32 i, hits = 0;

	if (!*bucket_of(mapping, page))
		return 0;
	if (next_chunk(page) < end)
		end = next_chunk(page);
	for (i = 0; i < CHUNK_PAGES; i++) {
		if (page + i >= end)
			break;
		hits += use_page(mapping, page + i, stage, again);
	}
	return hits;
}

/* The same for the rest of this chunk and the next ones, WALK_CHUNKS in all. */
__noinline int use_chunks(__u64 mapping, __u64 page, __u64 end, __u32 stage, __u64 again)
{
	__u32 i, hits = 0;

	for (i = 0; i < WALK_CHUNKS; i++) {
		if (page >= end)
			break;
		hits += use_chunk(mapping, page, end, stage, again);
		page = next_chunk(page);
	}
	return hits;
}

/* Takes the marks of bytes [lo, hi); how many there were. */
__noinline int use_marks(__u64 mapping, __u64 lo, __u64 hi, __u32 stage, __u64 again)
{
	__u32 shift = mark_shift(mapping);
	__u64 page = lo >> shift;
	__u64 end = (hi + (1ULL << shift) - 1) >> shift;
	__u32 i, hits = 0;

	for (i = 0; i < WALK_CHUNKS; i++) {
		if (page >= end)
			break;
		hits += use_chunks(mapping, page, end, stage, again);
		page = next_chunk(page) + (WALK_CHUNKS - 1) * CHUNK_PAGES;
	}
	if (page < end && stage == MARK_DIRTY) /* a bio of more than 256 MiB */
		count_loss(LOSS_TRACKS_FULL);
	return hits;
}
