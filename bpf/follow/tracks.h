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
#include "lib/emit.h"

#define MAX_TRACKS 256
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

static __always_inline void release_track(__u32 slot)
{
	if (bpf_map_delete_elem(&track_owned, &slot))
		return;
	track_at(slot)->dev = 0;
	__sync_fetch_and_add(&n_tracks, -1);
}

/* By bio and sector: a bio of scattered pages has a track for each of them. */
static __always_inline struct track *claim_track(__u64 bio, __u64 sector)
{
	__u64 first = ((bio >> 6) + (sector >> 3)) * 0x9e3779b97f4a7c15ULL >> 32;
	__u64 now = bpf_ktime_get_ns();
	__u32 i, slot;
	__u8 one = 1;

	for (i = 0; i < TRACK_PROBES; i++) {
		slot = (first + i) & (MAX_TRACKS - 1);
		if (track_at(slot)->dev && now - track_at(slot)->since_ns < TRACK_AGE_NS)
			continue;
		if (track_at(slot)->dev)
			release_track(slot);
		if (bpf_map_update_elem(&track_owned, &slot, &one, BPF_NOEXIST))
			continue;
		__sync_fetch_and_add(&n_tracks, 1);
		track_at(slot)->since_ns = now;
		return track_at(slot);
	}
	count_loss(LOSS_TRACKS_FULL);
	return NULL;
}

/* The first slot from `from` on with sectors of [sector, end) on dev; MAX_TRACKS if none. */
__noinline int next_track(__u32 from, __u32 dev, __u64 sector, __u64 end)
{
	__u32 n, i;

	for (n = 0; n < MAX_TRACKS; n++) {
		struct track *t;

		i = from + n;
		if (i >= MAX_TRACKS)
			break;
		t = track_at(i);
		if (t->dev == dev && t->sector < end && sector < t->sector + t->sectors)
			return i;
	}
	return MAX_TRACKS;
}

/* The first slot from `from` on of a bio, MAX_TRACKS if there is none. */
__noinline int track_of_bio(__u32 from, __u64 bio)
{
	__u32 n, i;

	for (n = 0; n < MAX_TRACKS; n++) {
		i = from + n;
		if (i >= MAX_TRACKS)
			break;
		if (track_at(i)->dev && track_at(i)->bio == bio)
			return i;
	}
	return MAX_TRACKS;
}

/* The slot of a bio on another device that holds some of the same bytes of the file. */
__noinline int track_of_bytes(__u64 mapping, __u64 lo, __u64 hi, __u32 dev)
{
	__u32 i;

	for (i = 0; i < MAX_TRACKS; i++) {
		struct track *t = &tracks[i];

		if (t->dev && t->dev != dev && t->mapping == mapping && t->lo < hi && lo < t->hi)
			return i;
	}
	return MAX_TRACKS;
}

/* Sectors [sector, end) of dev are done: releases the tracks that have none left. */
__noinline int complete_sectors(__u32 dev, __u64 sector, __u64 end)
{
	__u32 i, slot = 0;

	for (i = 0; i < MAX_TRACKS; i++) {
		struct track *t;
		__u64 lo, hi;

		slot = next_track(slot, dev, sector, end);
		if (slot >= MAX_TRACKS)
			break;
		t = track_at(slot);
		lo = t->sector > sector ? t->sector : sector;
		hi = t->sector + t->sectors < end ? t->sector + t->sectors : end;
		__sync_fetch_and_add(&t->left, (__s32)(lo - hi));
		if (t->left <= 0)
			release_track(slot);
		slot++;
	}
	return 0;
}
