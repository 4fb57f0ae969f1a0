/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The block stage: a track is one bio that carries sampled bytes, known by where it goes, (dev,
 * sectors), and by what it holds, (mapping, bytes). Merged, split, batched requests are found
 * by containment of sectors. A bio's address is looked at only between its start and its end.
 * A clone on a lower device has a track of its own, with the upper one as parent.
 */
#pragma once

#include "compat.h"
#include "core.h"
#include "follow.h"
#include "lib/core/emit.h"

#define MAX_TRACKS 256
#define TRACK_GROUP 16
#define TRACK_PROBES 32
#define TRACK_AGE_NS 60000000000ULL /* no I/O takes longer: its completion was missed */
#define TRACK_TOLD (1U << 31)	     /* of a clone: told by a remap, not queued yet */

struct track {
	__u64 id;
	__u64 bio;
	__u64 mapping;
	__u64 lo, hi;
	__u64 sector;
	__u64 since_ns;
	__u32 sectors;
	__s32 left; /* sectors not completed */
	__u32 dev;  /* 0: the slot is free */
	__u32 flags;
};

static struct track tracks[MAX_TRACKS];
static __u32 n_tracks;
static __u32 in_group[MAX_TRACKS / TRACK_GROUP]; /* n_tracks by group of slots */
static __u64 track_ids[1024]; /* by CPU */

/* Who owns a slot: inserting and deleting are atomic also on 5.10, which has no exchange. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_TRACKS);
	__type(key, __u32);
	__type(value, __u8);
} track_owned SEC(".maps");

static __always_inline struct track *track_at(__u32 slot)
{
	barrier_var(slot); /* or clang drops the mask, whose need only the verifier sees */
	return &tracks[slot & (MAX_TRACKS - 1)];
}

/* Bios are queued in task context, so nothing on this CPU comes between load and store. */
static __always_inline __u64 new_track_id(void)
{
	__u32 cpu = bpf_get_smp_processor_id() & 1023;

	return ++track_ids[cpu] << 10 | cpu;
}

static __always_inline void count_track(__u32 slot, __s32 by)
{
	__sync_fetch_and_add(&n_tracks, by);
	__sync_fetch_and_add(&in_group[slot / TRACK_GROUP % (MAX_TRACKS / TRACK_GROUP)], by);
}

static __always_inline void release_track(__u32 slot)
{
	if (bpf_map_delete_elem(&track_owned, &slot))
		return;
	track_at(slot)->dev = 0;
	count_track(slot, -1);
}

/* 1 if the slot was free. */
__noinline int reserve_slot(__u32 slot)
{
	__u64 now = bpf_ktime_get_ns();
	__u8 one = 1;

	if (track_at(slot)->dev) {
		if (now - track_at(slot)->since_ns < TRACK_AGE_NS)
			return 0;
		release_track(slot);
	}
	if (bpf_map_update_elem(&track_owned, &slot, &one, BPF_NOEXIST))
		return 0;
	count_track(slot, 1);
	track_at(slot)->since_ns = now;
	return 1;
}

/* By bio and sector: a bio of scattered pages has a track for each of them. MAX_TRACKS: no room. */
__noinline int reserve_track(__u64 bio, __u64 sector)
{
	__u64 first = ((bio >> 6) + (sector >> 3)) * 0x9e3779b97f4a7c15ULL >> 32;
	__u32 i, slot;

	for (i = 0; i < TRACK_PROBES; i++) {
		slot = (first + i) & (MAX_TRACKS - 1);
		if (reserve_slot(slot))
			return slot;
	}
	count_loss(LOSS_TRACKS_FULL);
	return MAX_TRACKS;
}

/*
 * All slots are walked by group, in a function of its own that the verifier checks once: 16
 * steps twice instead of 256. Most groups are empty and cost one test.
 */
#define EACH_GROUP(first)                                                                          \
	for (first = 0; first < MAX_TRACKS; first += TRACK_GROUP)                                  \
		if (in_group[first / TRACK_GROUP])

static __always_inline bool holds_sectors(const struct track *t, __u32 dev, __u64 sector, __u64 end)
{
	return t->dev == dev && t->sector < end && sector < t->sector + t->sectors;
}

static __always_inline bool is_of_bio(const struct track *t, __u64 bio)
{
	return t->dev && t->bio == bio;
}

__noinline int find_sectors(__u32 first, __u32 dev, __u64 sector, __u64 end)
{
	__u32 i;

	for (i = 0; i < TRACK_GROUP; i++) {
		if (holds_sectors(track_at(first + i), dev, sector, end))
			return first + i;
	}
	return MAX_TRACKS;
}

/* The first slot with sectors of [sector, end) on dev; MAX_TRACKS if there is none. */
__noinline int track_of_sectors(__u32 dev, __u64 sector, __u64 end)
{
	__u32 first, slot;

	EACH_GROUP(first) {
		slot = find_sectors(first, dev, sector, end);
		if (slot < MAX_TRACKS)
			return slot;
	}
	return MAX_TRACKS;
}

__noinline int find_bytes(__u32 first, __u64 mapping, __u64 lo, __u64 hi, __u32 dev)
{
	__u32 i;

	for (i = 0; i < TRACK_GROUP; i++) {
		struct track *t = track_at(first + i);

		if (t->dev && t->dev != dev && t->mapping == mapping && t->lo < hi && lo < t->hi)
			return first + i;
	}
	return MAX_TRACKS;
}

/* The slot of a bio on another device that holds some of the same bytes of the file. */
__noinline int track_of_bytes(__u64 mapping, __u64 lo, __u64 hi, __u32 dev)
{
	__u32 first, slot;

	EACH_GROUP(first) {
		slot = find_bytes(first, mapping, lo, hi, dev);
		if (slot < MAX_TRACKS)
			return slot;
	}
	return MAX_TRACKS;
}

/* Sectors [sector, end) of a track are done: releases it if it has none left. */
__noinline int complete_track(__u32 slot, __u64 sector, __u64 end)
{
	struct track *t = track_at(slot);
	__u64 lo = t->sector > sector ? t->sector : sector;
	__u64 hi = t->sector + t->sectors < end ? t->sector + t->sectors : end;

	__sync_fetch_and_add(&t->left, (__s32)(lo - hi));
	if (t->left <= 0)
		release_track(slot);
	return 0;
}

__noinline int complete_group(__u32 first, __u32 dev, __u64 sector, __u64 end)
{
	__u32 i;

	for (i = 0; i < TRACK_GROUP; i++) {
		if (holds_sectors(track_at(first + i), dev, sector, end))
			complete_track(first + i, sector, end);
	}
	return 0;
}

/* Of all tracks on dev. */
__noinline int complete_sectors(__u32 dev, __u64 sector, __u64 end)
{
	__u32 first;

	EACH_GROUP(first)
		complete_group(first, dev, sector, end);
	return 0;
}
