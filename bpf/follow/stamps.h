/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Time stamps on the way through the block layer: of each bio and request whose sectors some
 * track holds. The end of a request is the end of the tracks in it.
 */
#pragma once

#include "calls.h"
#include "compat.h"
#include "core.h"
#include "follow.h"
#include "tracks.h"

/* A bio or request that passes a stage. */
struct passing {
	__u64 object;
	__u64 sector;
	__s64 result;
	__u32 sectors;
	__u32 dev;
	__u32 opf;
};

/* Tells of it if some track holds some of its sectors; false if none does. */
static __always_inline bool pass(__u32 kind, const struct passing *p)
{
	struct follow_hop *h;

	if (track_of_sectors(p->dev, p->sector, p->sector + p->sectors) >= MAX_TRACKS)
		return false;
	h = new_hop(kind);
	if (!h)
		return true;
	h->object = p->object;
	h->sector = p->sector;
	h->result = p->result;
	h->sectors = p->sectors;
	h->dev = p->dev;
	h->opf = p->opf;
	emit_submit(h, sizeof(*h));
	return true;
}

/* A bio: split, merged, with a request of its own. */
__noinline int pass_bio(__u64 address, __u32 kind)
{
	struct bio *bio = (void *)address;
	struct passing p = {
		.object = address,
		.sector = BPF_CORE_READ(bio, bi_iter.bi_sector),
		.sectors = BPF_CORE_READ(bio, bi_iter.bi_size) >> 9,
		.dev = bio_dev(false, (void *)address),
		.opf = BPF_CORE_READ(bio, bi_opf),
	};

	return pass(kind, &p);
}

/* `bytes` of a request, all if 0; fills p. */
static __always_inline bool pass_part(__u32 kind, __u64 address, __u32 bytes, struct passing *p)
{
	struct request *rq = (void *)address;

	p->object = address;
	p->sector = BPF_CORE_READ(rq, __sector);
	p->sectors = (bytes ? bytes : BPF_CORE_READ(rq, __data_len)) >> 9;
	p->dev = request_dev(false, (void *)address);
	p->opf = BPF_CORE_READ(rq, cmd_flags);
	if ((p->opf & REQ_OP_MASK) != followed_op()) /* a discard of the same sectors, or the other way */
		return false;
	return p->sectors && pass(kind, p);
}

__noinline int pass_request(__u64 address, __u32 kind)
{
	struct passing p = {};

	return pass_part(kind, address, 0, &p);
}

__noinline int complete_request(__u64 address, __u32 bytes, __s64 result)
{
	struct passing p = {.result = result};

	if (pass_part(HOP_COMPLETE, address, bytes, &p))
		complete_sectors(p.dev, p.sector, p.sector + p.sectors);
	return 0;
}
