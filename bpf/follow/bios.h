/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Between page cache and block layer: which bytes of which file does a bio carry? Pages of
 * the page cache say it themselves. The caller's own pages (O_DIRECT) do not: such bios are
 * taken in the order in which the sampled call submits them.
 */
#pragma once

#include "calls.h"
#include "causes.h"
#include "compat.h"
#include "core.h"
#include "follow.h"
#include "fsyncs.h"
#include "marks.h"
#include "pieces.h"
#include "tracks.h"

#define MAX_RUNS 256 /* as many as a bio has vectors */

const volatile bool until_writeback; /* a hook tells when writeback ends: keep marks for it */

/* Is anything on its way that a lower hook could see? */
static __always_inline bool in_flight(void)
{
	return n_marks[MARK_DIRTY] || n_tracks || n_calls;
}

__noinline int emit_track(__u32 kind, __u64 bio, __u32 slot, __u64 parent)
{
	struct follow_hop *h = new_hop(kind);
	struct track *t = track_at(slot);
	struct address_space *mapping;

	if (!h)
		return 0;
	mapping = (void *)t->mapping;
	h->id = t->id;
	h->parent = parent;
	h->mapping = t->mapping;
	h->lo = t->lo;
	h->hi = t->hi;
	h->sector = t->sector;
	h->sectors = t->sectors;
	h->dev = t->dev;
	h->flags = t->flags & ~TRACK_TOLD;
	h->object = bio;
	h->opf = BPF_CORE_READ((struct bio *)bio, bi_opf);
	if (kind == HOP_BIO) {
		h->cause = cause_of(h->tid);
		h->result = BPF_CORE_READ(mapping, host, i_size);
	} else {
		h->result = BPF_CORE_READ((struct bio *)bio, bi_status);
	}
	emit_submit(h, sizeof(*h));
	return 0;
}

static __always_inline void set_track(struct track *t, __u64 bio, const struct piece *p, __u32 flags)
{
	t->id = new_track_id();
	t->bio = bio;
	t->mapping = p->mapping;
	t->lo = p->lo;
	t->hi = p->hi;
	t->sector = p->sector;
	t->sectors = p->sectors;
	t->left = p->sectors;
	t->flags = flags;
	t->dev = p->dev; /* from here on it is found */
}

static __always_inline void add_track(__u64 bio, const struct piece *p, __u32 kind, __u32 flags,
				      __u64 parent)
{
	__u32 slot = reserve_track(bio, p->sector);

	if (slot >= MAX_TRACKS)
		return;
	set_track(track_at(slot), bio, p, flags);
	emit_track(kind, bio, slot, parent);
}

/* Marks go on to the writeback stage where something will take them there. */
static __always_inline __u32 use_dirty(const struct piece *p)
{
	__u32 hits = use_marks(p->mapping, p->lo, p->hi, MARK_DIRTY, until_writeback);

	if (hits)
		__sync_fetch_and_add(&n_used, 1);
	return hits;
}

/* The sampled read or fsync that this thread is in, if it is of this file. */
static __always_inline __u64 read_of_thread(__u64 mapping)
{
	__u32 tid = current_tid();
	struct call *c = n_calls ? bpf_map_lookup_elem(&calls_active, &tid) : NULL;

	return c && c->mapping == mapping ? c->sample : 0;
}

/* A bio of pages of a file: tells of it if sampled bytes may be among them. */
static __always_inline bool queue_piece(__u64 bio, const struct piece *p)
{
	if (within_call() ? !*readers_of(p->mapping) : !use_dirty(p))
		return false;
	add_track(bio, p, HOP_BIO, 0, within_call() ? read_of_thread(p->mapping) : 0);
	return true;
}

/* How far a walk is: a vector, and sectors of it and of the bio, in one scalar, which costs the verifier no paths. */
#define CURSOR(vec, of_vec, of_bio) ((__u64)(vec) << 44 | (__u64)(of_vec) << 24 | (of_bio))
#define CURSOR_VEC(cursor) ((cursor) >> 44)
#define CURSOR_OF_VEC(cursor) ((cursor) >> 24 & 0xfffff)
#define CURSOR_OF_BIO(cursor) ((cursor) & 0xffffff)

/* One run of a bio whose pages are not one range of a file. Returns where the next one begins. */
__noinline __u64 queue_run(__u64 address, __u64 cursor, __u64 sector)
{
	struct bio_vec *vec = vec_of((void *)address, CURSOR_VEC(cursor));
	struct piece p = {.sector = sector + CURSOR_OF_BIO(cursor), .dev = bio_dev(false, (void *)address)};
	__u32 at = CURSOR_OF_VEC(cursor) << 9, len = BPF_CORE_READ(vec, bv_len);
	__u32 end = end_of_run((__u64)vec, at, len);

	locate(vec, at, &p);
	p.hi = p.lo + end - at;
	p.sectors = (end - at) >> 9;
	if (p.mapping)
		queue_piece(address, &p);
	if (end >= len)
		return CURSOR(CURSOR_VEC(cursor) + 1, 0, CURSOR_OF_BIO(cursor) + p.sectors);
	return CURSOR(CURSOR_VEC(cursor), end >> 9, CURSOR_OF_BIO(cursor) + p.sectors);
}

static __always_inline void queue_scattered(struct bio *bio, __u32 first, __u32 sectors)
{
	__u64 sector = BPF_CORE_READ(bio, bi_iter.bi_sector);
	__u64 cursor = CURSOR(first, bio_vec_done((__u64)bio) >> 9, 0);
	__u32 n;

	for (n = 0; n < MAX_RUNS && CURSOR_OF_BIO(cursor) < sectors; n++)
		cursor = queue_run((__u64)bio, cursor, sector);
	if (CURSOR_OF_BIO(cursor) < sectors)
		count_loss(LOSS_TRACKS_FULL);
}

/* The caller's own pages, in the order of submission. */
static __always_inline bool queue_direct(struct bio *bio, struct piece *p)
{
	__u32 tid = current_tid();
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	__u64 bytes = (__u64)p->sectors << 9;

	if (!c || !(c->flags & CALL_DIRECT) || p->mapping == c->mapping || is_metadata(bio, p))
		return false;
	p->mapping = c->mapping;
	p->lo = c->lo + c->sent;
	p->hi = p->lo + bytes;
	c->sent += bytes;
	add_track((__u64)bio, p, HOP_BIO, BIO_DIRECT, c->sample);
	return true;
}

/* Of a buffered read, but not into the page cache: btrfs unpacks compressed data from pages of its own. Where they go, they do not say. */
static __always_inline bool queue_compressed(struct bio *bio, struct piece *p)
{
	__u32 tid = current_tid();
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);

	if (!c || c->flags & CALL_DIRECT || p->mapping || is_metadata(bio, p))
		return false;
	p->mapping = c->mapping;
	p->lo = c->lo;
	p->hi = p->lo + ((__u64)p->sectors << 9);
	add_track((__u64)bio, p, HOP_BIO, BIO_OTHER_PAGES, c->sample);
	return true;
}

/* A bio of its own for bytes that are on their way on another device, as dm-mirror makes it. */
static __always_inline bool queue_copy(__u64 bio, struct piece *p)
{
	__u32 slot = track_of_bytes(p->mapping, p->lo, p->hi, p->dev);

	if (slot >= MAX_TRACKS)
		return false;
	add_track(bio, p, HOP_REMAP, 0, track_at(slot)->id);
	return true;
}

/*
 * 1 for a clone that a remap has told of. Another track of a bio at this address is of one that
 * has long ended: hosts were seen where a program on block_rq_complete is not always run.
 */
__noinline int known_track(__u32 slot)
{
	struct track *t = track_at(slot);

	if (t->flags & TRACK_TOLD) {
		t->flags &= ~TRACK_TOLD;
		return 1;
	}
	release_track(slot);
	return 0;
}

__noinline int known_in_group(__u32 first, __u64 bio)
{
	__u32 i, told = 0;

	for (i = 0; i < TRACK_GROUP; i++) {
		if (is_of_bio(track_at(first + i), bio))
			told |= known_track(first + i);
	}
	return told;
}

__noinline int known_bio(__u64 bio)
{
	__u32 first, told = 0;

	EACH_GROUP(first)
		told |= known_in_group(first, bio);
	return told != 0;
}

/* The bio that each CPU queued last, which gets a request or is merged next, unless its thread moved to another CPU. */
static __u64 last_queued[1024];

/* Once: the next bio may have the same address. */
static __always_inline bool was_queued(__u64 bio)
{
	__u64 *last = &last_queued[bpf_get_smp_processor_id() & 1023];

	if (*last != bio)
		return false;
	*last = 0;
	return true;
}

/*
 * A bio that an fsync may wait for though it has none of its file's pages: metadata, the journal's, what a commit writes of
 * others. A function of its own, because the stack of track_bio() is in the longest chain of calls.
 */
__noinline int queue_beside(__u64 address)
{
	struct bio *bio = (void *)address;
	__u32 flags = sync_flags(BPF_CORE_READ(bio, bi_opf));
	struct piece p = {};

	locate_bio(bio, &p);
	if (!is_for_fsync(p.dev, flags))
		return 0;
	if (is_metadata(bio, &p)) {
		p.mapping = 0;
		p.lo = 0;
		p.hi = (__u64)p.sectors << 9;
	}
	if (p.mapping)
		emit_file(p.mapping);
	add_track(address, &p, HOP_BIO, flags, 0);
	return 0;
}

/* Without data: no track, as it has no sectors. */
__noinline int queue_flush(__u64 address)
{
	struct bio *bio = (void *)address;
	__u32 opf = BPF_CORE_READ(bio, bi_opf), flags = sync_flags(opf), dev = bio_dev(false, bio);
	struct follow_hop *h;
	__u64 id;

	if (!(flags & BIO_FLUSH) || !is_for_fsync(dev, flags))
		return 0;
	id = new_track_id();
	bpf_map_update_elem(&flushes, &address, &id, BPF_ANY);
	h = new_hop(HOP_BIO);
	if (!h)
		return 0;
	h->id = id;
	h->dev = dev;
	h->opf = opf;
	h->flags = flags;
	h->object = address;
	h->cause = cause_of(h->tid);
	emit_submit(h, sizeof(*h));
	return 0;
}

/* Takes the marks of what the bio carries: from then on it has tracks. */
__noinline int track_bio(__u64 address)
{
	struct bio *bio = (void *)address;
	struct piece p = {};
	__u32 vecs = BPF_CORE_READ(bio, bi_vcnt);
	__u32 first = BPF_CORE_READ(bio, bi_iter.bi_idx);
	__u32 bytes = BPF_CORE_READ(bio, bi_iter.bi_size);

	if ((BPF_CORE_READ(bio, bi_opf) & REQ_OP_MASK) != followed_op())
		return 0;
	if (!bytes)
		return fsyncing ? queue_flush(address) : 0;
	locate(vec_of(bio, first), bio_vec_done(address), &p);
	p.sector = BPF_CORE_READ(bio, bi_iter.bi_sector);
	p.sectors = bytes >> 9;
	p.dev = bio_dev(false, (void *)address);
	if (p.mapping && vecs && !is_one_range(bio, vecs, bytes, &p)) {
		queue_scattered(bio, first, bytes >> 9);
		return 0;
	}
	p.hi = p.lo + bytes;
	/* A copy of what is read in is the same pages again, of what is written back pages without marks. */
	if (within_call() && n_tracks && p.mapping && queue_copy(address, &p))
		return 0;
	if (p.mapping && queue_piece(address, &p))
		return 0;
	if (fsyncing)
		return queue_beside(address);
	if (n_direct && queue_direct(bio, &p))
		return 0;
	if (reading && n_calls && queue_compressed(bio, &p))
		return 0;
	if (!reading && n_tracks && p.mapping)
		queue_copy(address, &p);
	return 0;
}

/* No function of its own: from here to mark_page() the call chain has the 8 frames that it may have. */
static __always_inline int queue_bio(__u64 bio)
{
	last_queued[bpf_get_smp_processor_id() & 1023] = bio;
	if (n_tracks && known_bio(bio))
		return 0;
	return track_bio(bio);
}

/* A bio that may not have been seen when it was queued. One that was split off has the sectors of a track. */
static __always_inline int queue_missed(__u64 address)
{
	struct bio *bio = (void *)address;
	__u64 sector = BPF_CORE_READ(bio, bi_iter.bi_sector);
	__u64 end = sector + (BPF_CORE_READ(bio, bi_iter.bi_size) >> 9);

	if (track_of_sectors(bio_dev(false, bio), sector, end) < MAX_TRACKS)
		return 0;
	return track_bio(address);
}

/* The bio of a track moves on as it is: to the whole disk, to a path of multipath. */
__noinline int move_track(__u32 slot, __u64 bio, __u32 dev, __u64 by)
{
	struct track *t = track_at(slot);

	t->sector += by;
	t->dev = dev;
	emit_track(HOP_REMAP, bio, slot, 0);
	return 1;
}

__noinline int move_group(__u32 first, __u64 bio, __u32 dev, __u64 by)
{
	__u32 i, moved = 0;

	for (i = 0; i < TRACK_GROUP; i++) {
		if (is_of_bio(track_at(first + i), bio))
			moved |= move_track(first + i, bio, dev, by);
	}
	return moved;
}

/* 1 if the bio has tracks. */
__noinline int move_tracks(__u64 bio, __u32 dev, __u64 by)
{
	__u32 first, moved = 0;

	EACH_GROUP(first)
		moved |= move_group(first, bio, dev, by);
	return moved;
}

/* (old_dev, old_sector) became what the bio says now. */
__noinline int remap_bio(__u64 address, __u32 old_dev, __u64 old_sector)
{
	struct bio *bio = (void *)address;
	__u64 bytes = BPF_CORE_READ(bio, bi_iter.bi_size);
	struct piece p = {
		.sector = BPF_CORE_READ(bio, bi_iter.bi_sector),
		.sectors = bytes >> 9,
		.dev = bio_dev(false, (void *)address),
	};
	struct track *t;
	__u32 slot;

	if (move_tracks(address, p.dev, p.sector - old_sector))
		return 0;
	slot = track_of_sectors(old_dev, old_sector, old_sector + p.sectors);
	if (slot >= MAX_TRACKS)
		return 0;
	t = track_at(slot);
	p.mapping = t->mapping;
	p.lo = t->lo;
	if (old_sector > t->sector)
		p.lo += (old_sector - t->sector) << 9;
	p.hi = p.lo + bytes;
	add_track(address, &p, HOP_REMAP, t->flags | TRACK_TOLD, t->id);
	return 0;
}

__noinline int finish_track(__u32 slot, __u64 bio)
{
	emit_track(HOP_BIO_COMPLETE, bio, slot, 0);
	release_track(slot);
	return 0;
}

__noinline int finish_group(__u32 first, __u64 bio)
{
	__u32 i;

	for (i = 0; i < TRACK_GROUP; i++) {
		if (is_of_bio(track_at(first + i), bio))
			finish_track(first + i, bio);
	}
	return 0;
}

/* A bio that never was in a request is done. */
__noinline int complete_bio(__u64 bio)
{
	__u32 first;

	EACH_GROUP(first)
		finish_group(first, bio);
	return 0;
}
