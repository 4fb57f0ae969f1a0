/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Who reads these pages already? A read that finds a page locked waits for a bio that another thread queued before, by
 * its readahead or its own miss. So the last bios of each file are remembered, whoever queues them, by their file's
 * hash: what the page says, if it is still being filled, is what tells one that is under way from one that has ended,
 * and no program is needed at its end. An fsync asks the same of what is being written. A bio that was overwritten here, and one from before the run, is not found: then the read
 * has waited, and nobody says for whom.
 */
#pragma once

#include "bios.h"
#include "calls.h"
#include "compat.h"
#include "core.h"
#include "follow.h"
#include "lib/core/emit.h"
#include "tracks.h"

#define QUEUED_SETS 64
#define QUEUED_WAYS 8
/*
 * Such a track's slot is free for others after that time. Its request may have completed before the track was made: btrfs
 * unlocks the pages later, when it has verified them.
 */
#define EARLIER_AGE_NS 1000000000ULL

struct queued_bio {
	__u64 bio;
	__u64 page; /* its first */
	__u64 mapping;
	__u64 ts_ns;
	__u64 pid_tgid;
	char comm[16];
};

static struct queued_bio queued_bios[QUEUED_SETS * QUEUED_WAYS];
static __u32 next_ways[QUEUED_SETS];

static __always_inline struct queued_bio *queued_at(__u32 at)
{
	barrier_var(at); /* or clang drops the mask, whose need only the verifier sees */
	return &queued_bios[at & (QUEUED_SETS * QUEUED_WAYS - 1)];
}

static __always_inline __u32 set_of(__u64 mapping)
{
	return (mapping >> 6) * 0x9e3779b97f4a7c15ULL >> 58;
}

/* Of a bio also when its front has been split off, which is part of it until all has completed. */
static __always_inline __u64 first_page(struct bio *bio)
{
	return (__u64)BPF_CORE_READ(vec_of(bio, 0), bv_page);
}

/* All that a bio pays which has nothing to do with a sample. A function of its own, for the stack of block_bio_queue. */
__noinline int remember_bio(__u64 address)
{
	struct bio *bio = (void *)address;
	__u64 page, mapping;
	struct queued_bio *q;
	__u32 set;

	if ((BPF_CORE_READ(bio, bi_opf) & REQ_OP_MASK) != followed_op())
		return 0;
	page = first_page(bio);
	mapping = page ? mapping_of_folio(page_head(page), !reading) : 0;
	if (!mapping)
		return 0;
	set = set_of(mapping);
	q = queued_at(set * QUEUED_WAYS + next_ways[set]++ % QUEUED_WAYS);
	q->bio = address;
	q->page = page;
	q->mapping = mapping;
	q->ts_ns = bpf_ktime_get_ns();
	q->pid_tgid = bpf_get_current_pid_tgid();
	bpf_get_current_comm(q->comm, sizeof(q->comm));
	return 0;
}

/* Is it under way? Its address may be another bio's by now, and its page another file's. */
static __always_inline bool is_under_way(const struct queued_bio *q)
{
	return mapping_of_folio(page_head(q->page), !reading) == q->mapping &&
	       first_page((void *)q->bio) == q->page;
}

/* Tells of it as it was when it was queued. */
__noinline int report_track(__u32 slot, __u32 at)
{
	struct queued_bio *q = queued_at(at);
	struct bio *bio = (void *)q->bio; /* within BPF_CORE_READ() q would be the kernel's */
	struct track *t = track_at(slot);
	struct follow_hop *h = emit_reserve(sizeof(*h)); /* new_hop() and a second test are too much for 6.1's verifier */

	if (!h)
		return 1;
	fill_hop(h, HOP_BIO);
	h->ts_ns = q->ts_ns;
	h->id = t->id;
	h->mapping = t->mapping;
	h->lo = t->lo;
	h->hi = t->hi;
	h->sector = t->sector;
	h->sectors = t->sectors;
	h->dev = t->dev;
	h->object = (__u64)bio;
	h->opf = BPF_CORE_READ(bio, bi_opf);
	h->cause = CAUSE_OTHER;
	h->tgid = q->pid_tgid >> 32;
	h->tid = q->pid_tgid;
	__builtin_memcpy(h->comm, q->comm, sizeof(h->comm));
	emit_submit(h, sizeof(*h));
	return 1;
}

/* A bio of the file: if it is under way, and has bytes of [lo, hi), it has a track from now on, and 1 is returned. */
__noinline int report_one(__u32 at, __u64 lo, __u64 hi)
{
	struct queued_bio *q = queued_at(at);
	struct bio *bio = (void *)q->bio;
	struct piece p = {};
	struct track *t;
	__u32 slot;

	if (!is_under_way(q))
		return 0;
	locate_bio(bio, &p);
	if (p.mapping != q->mapping || p.lo >= hi || lo >= p.hi)
		return 0;
	slot = track_of_sectors(p.dev, p.sector, p.sector + p.sectors);
	if (slot < MAX_TRACKS)
		return report_track(slot, at);
	slot = reserve_track(q->bio, p.sector);
	if (slot >= MAX_TRACKS)
		return 0;
	t = track_at(slot);
	set_track(t, q->bio, &p, 0);
	t->since_ns -= TRACK_AGE_NS - EARLIER_AGE_NS;
	return report_track(slot, at);
}

/*
 * Of the bios that were queued before the read or fsync that this thread has just begun, if any; the last first, as others at its address
 * have ended. No part of begin_call(), with whose stack it would have too much.
 */
__noinline int report_earlier(void)
{
	__u32 tid = current_tid(), set, last, i, at;
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	struct queued_bio *q;
	__u64 reported = 0;

	if (!c)
		return 0;
	set = set_of(c->mapping);
	last = next_ways[set] - 1;
	for (i = 0; i < QUEUED_WAYS; i++) {
		at = set * QUEUED_WAYS + (last - i) % QUEUED_WAYS;
		q = queued_at(at);
		if (q->mapping != c->mapping || q->bio == reported)
			continue;
		if (report_one(at, c->lo, c->hi))
			reported = q->bio;
	}
	return 0;
}
