/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pieces of a bio: which bytes of which file its pages are, and how far they are one range of it. */
#pragma once

#include "calls.h"
#include "compat.h"
#include "core.h"
#include "lib/block/file.h"
#include "marks.h"

#define RUN_PAGES 256 /* of a run that is found at a time; a longer one is continued */

/* Bytes of a file that a bio holds, and where they go. */
struct piece {
	__u64 mapping; /* 0: no page that is written back, or read in */
	__u64 lo, hi;
	__u64 sector;
	__u32 sectors;
	__u32 dev;
};

/* The place in its file of the byte `at` of a vector, whose pages need not be neighbours in the file. */
static __always_inline void locate(struct bio_vec *vec, __u64 at, struct piece *p)
{
	__u64 offset = BPF_CORE_READ(vec, bv_offset) + at;
	__u64 page = (__u64)BPF_CORE_READ(vec, bv_page) +
		     (offset >> page_shift) * bpf_core_type_size(struct page);
	__u64 head = page_head(page);
	__u64 index = folio_index(head) + (page - head) / bpf_core_type_size(struct page);

	/* A page of the cache may also be what an O_DIRECT write takes its bytes from. */
	p->mapping = mapping_of_folio(head, !reading);
	p->lo = (index << page_shift) + (offset & ((1ULL << page_shift) - 1));
}

static __always_inline struct bio_vec *vec_of(struct bio *bio, __u32 i)
{
	return (void *)BPF_CORE_READ(bio, bi_io_vec) + i * bpf_core_type_size(struct bio_vec);
}

/* All of a bio, as far as it is one range of a file. */
static __always_inline void locate_bio(struct bio *bio, struct piece *p)
{
	locate(vec_of(bio, BPF_CORE_READ(bio, bi_iter.bi_idx)), bio_vec_done((__u64)bio), p);
	p->sector = BPF_CORE_READ(bio, bi_iter.bi_sector);
	p->sectors = BPF_CORE_READ(bio, bi_iter.bi_size) >> 9;
	p->dev = bio_dev(false, bio);
	p->hi = p->lo + ((__u64)p->sectors << 9);
}

/* Are the bytes [at, to) of a vector one range of a file? Pages of a bio ascend. */
__noinline int is_run(__u64 vec, __u32 at, __u32 to)
{
	struct piece p, last;

	locate((void *)vec, at, &p);
	locate((void *)vec, to - 1, &last);
	return p.mapping == last.mapping && last.lo - p.lo == to - 1 - at;
}

/* Where the range of a file that begins at `at` ends, at a page's end at the least. */
__noinline int end_of_run(__u64 address, __u32 at, __u32 len)
{
	struct bio_vec *vec = (void *)address;
	__u32 page = 1U << page_shift, end = at, i;
	__u32 next = at + page - ((BPF_CORE_READ(vec, bv_offset) + at) & (page - 1));

	if (is_run(address, at, len))
		return len;
	for (i = 0; i < RUN_PAGES; i++) {
		if (next >= len || (i && !is_run(address, at, next)))
			break;
		end = next;
		next += page;
	}
	return i ? end : len;
}

/* Is a whole bio, whose first byte is at p, one range of a file? */
static __always_inline bool is_one_range(struct bio *bio, __u32 vecs, __u32 bytes, const struct piece *p)
{
	struct bio_vec *vec = vec_of(bio, vecs - 1);
	struct piece last;

	locate(vec, BPF_CORE_READ(vec, bv_len) - 1, &last);
	return last.mapping == p->mapping && last.lo - p->lo == bytes - 1;
}

/* Journal and tree blocks belong to a device's own mapping or are flagged: not the caller's data. */
static __always_inline bool is_metadata(struct bio *bio, const struct piece *p)
{
	struct address_space *mapping = (void *)p->mapping;

	if (BPF_CORE_READ(bio, bi_opf) & (1U << bpf_core_enum_value(enum req_flag_bits, __REQ_META)))
		return true;
	return mapping && (BPF_CORE_READ(mapping, host, i_mode) & S_IFMT) == S_IFBLK;
}
