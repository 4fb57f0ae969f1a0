/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Each block I/O with the task that caused it. The tool defines io_done(), which gets it at its end.
 *
 * The submitter is current where a bio gets a request of its own (block_getrq: after a split) or
 * becomes the first of one that is there. Its entry is kept by the bio's address until the request is
 * issued, then by the request's. Both addresses are used again and again, so the entries stay in the
 * maps and are overwritten: an insert and a delete would cost six times as much.
 *
 * Devices without requests have bios alone: from block_bio_queue to block_bio_complete.
 */
#pragma once

#include "compat.h"
#include "core.h"

#include "lib/block/args.h"
#include "lib/block/by.h"
#include "lib/block/file.h"
#include "lib/block/filter.h"
#include "lib/block/io_wire.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "lib/core/tracepoint.h"

#define UPPER_LINES 4096
#define PLACE_LINES 256

const volatile bool only_known; /* certain processes were asked for: not what nobody knows */

static __always_inline void io_done(struct block_io *io);

/* Where stacks are asked for, with that of who submitted it: at its end any task is current. */
struct kept_io {
	struct block_io io;
	__u64 stack[EMIT_STACKS];
};

/* By the address of a bio, of a request. ts_ns is 1 while the entry is of something that has not ended. LRU, as an entry stays. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64);
	__type(value, struct kept_io);
} queued SEC(".maps"), issued SEC(".maps");

/* The bio of a stacked device that a thread queued last: its clones come next. */
static __u64 uppers[UPPER_LINES];
/* Where the last I/O of a disk ended. */
static struct {
	__u64 sector;
	__u64 dev;
} places[PLACE_LINES];

static const struct block_io no_io;
static const struct kept_io none_kept;

/* Of one in a map. */
static __always_inline __u64 io_stack(const struct block_io *io)
{
	return EMIT_STACKS ? ((const struct kept_io *)io)->stack[0] : 0;
}

static __always_inline void io_set_stack(struct block_io *io, __u64 stack)
{
	if (EMIT_STACKS)
		((struct kept_io *)io)->stack[0] = stack;
}

/* LOSS_IO_END is a balance: what is issued counts up, what completes counts down. */
static __always_inline void balance_io(__u64 by)
{
	__u32 reason = LOSS_IO_END;
	__u64 *count = bpf_map_lookup_elem(&losses, &reason);

	if (count)
		__sync_fetch_and_add(count, by);
}

static __always_inline struct block_io *new_io(void *map, const __u64 *address)
{
	struct block_io *io = bpf_map_lookup_elem(map, address);

	if (io)
		return io;
	bpf_map_update_elem(map, address, &none_kept, BPF_ANY);
	io = bpf_map_lookup_elem(map, address);
	if (!io)
		count_loss(LOSS_IO_ROOM);
	return io;
}

/* ---- what and where ---- */

/* Is it made of other devices? Then they have links in its directory of sysfs. */
static __always_inline bool has_slaves(struct gendisk *disk)
{
	return BPF_CORE_READ(disk, slave_dir, sd, dir.children.rb_node) != NULL;
}

static __always_inline void save_place(struct block_io *io)
{
	__u32 line = (io->dev ^ io->dev >> MINOR_BITS) & (PLACE_LINES - 1);

	if (places[line].dev == io->dev)
		io->flags |= places[line].sector == io->sector ? IO_SEQUENTIAL : IO_RANDOM;
	places[line].dev = io->dev;
	places[line].sector = io->sector + (io->bytes >> 9);
}

/* ---- bios ---- */

/* A bio begins: io is its entry, which may say where it came from. */
static __always_inline bool begin(const bool typed, struct block_io *io, struct bio *bio, __u32 dev)
{
	__u32 opf = LOAD(bio, bi_opf), moved = io->flags & IO_MOVED, remapped = io->flags & IO_REMAPPED;
	__u32 operation = opf & REQ_OP_MASK;
	__u64 folio = 0;

	if (!remapped)
		io->other_dev = 0;
	io->flags = 0;
	io->ts_ns = 0;
	if (wanted_dev && dev != wanted_dev && !(moved && io->other_dev == wanted_dev))
		return false;
	if (operation == REQ_OP_WRITE || (IO_WITH_FILE && operation == REQ_OP_READ))
		folio = first_folio(bio);
	if (!save_cause(io, folio, opf))
		return false;
	io->dev = dev;
	io->opf = opf;
	io->issue_ns = 0;
	io->result = 0;
	io->flags = moved;
	if (IO_WITH_FILE)
		save_file(io, bio, folio, remapped);
	io_set_stack(io, event_stack());
	io->ts_ns = 1;
	return true;
}

/* Gets a request of its own. */
static __always_inline int get_request(const bool typed, struct bio *bio)
{
	__u64 address = (__u64)bio;
	struct block_io *io = new_io(&queued, &address);

	if (io)
		begin(typed, io, bio, bio_dev(typed, bio));
	return 0;
}

TRACEPOINT(block_getrq)
{
	return get_request(typed, typed_bio_arg(ctx, 1));
}

TRACEPOINT(block_bio_frontmerge)
{
	return get_request(typed, typed_bio_arg(ctx, 2));
}

TRACEPOINT(block_bio_queue)
{
	struct bio *bio = typed_bio_arg(ctx, 1);
	struct gendisk *disk = bio_disk(typed, bio);
	struct request_queue *queue = LOAD(disk, queue);
	__u64 address = (__u64)bio;
	struct block_io *io;

	if (LOAD(queue, mq_ops))
		return 0;
	io = new_io(&queued, &address);
	if (!io)
		return 0;
	io->start_ns = bpf_ktime_get_ns();
	io->sector = LOAD(bio, bi_iter.bi_sector);
	io->bytes = LOAD(bio, bi_iter.bi_size);
	io->flags = 0;
	if (!begin(typed, io, bio, disk_dev(typed, disk)))
		return 0;
	io->flags |= has_slaves(disk) ? IO_STACKED : IO_NO_QUEUE;
	save_place(io);
	uppers[(__u32)bpf_get_current_pid_tgid() & (UPPER_LINES - 1)] = address;
	return 0;
}

/* The clone of a bio of old_dev, or that bio itself, goes to another device. */
static __always_inline int remap(const bool typed, struct bio *bio, __u32 old_dev, __u64 old_sector)
{
	__u64 address = (__u64)bio, upper_address;
	struct block_io *io, *upper;

	if (bio_left_partition(bio, old_dev))
		return 0;
	io = new_io(&queued, &address);
	if (!io)
		return 0;
	io->flags = IO_REMAPPED | (io->ts_ns && io->dev == old_dev ? IO_MOVED : 0);
	io->ts_ns = 0;
	io->other_dev = old_dev;
	upper_address = uppers[(__u32)bpf_get_current_pid_tgid() & (UPPER_LINES - 1)];
	upper = bpf_map_lookup_elem(&queued, &upper_address);
	if (upper && upper->ts_ns && upper->dev == old_dev && old_sector >= upper->sector &&
	    old_sector - upper->sector <= upper->bytes >> 9) {
		upper->other_dev = bio_dev(typed, bio);
		if (IO_WITH_FILE)
			inherit_file(io, upper);
	} else if (IO_WITH_FILE) {
		forget_file(io);
	}
	return 0;
}

TRACEPOINT(block_bio_remap)
{
	const __u32 n = queue_args ? 1 : 0;

	return remap(typed, typed_bio_arg(ctx, 1), arg(ctx, n + 1), arg(ctx, n + 2));
}

/* Not of bios that end in requests. */
TRACEPOINT(block_bio_complete, struct request_queue *queue, struct bio *bio)
{
	__u64 address = (__u64)bio;
	struct block_io *io = bpf_map_lookup_elem(&queued, &address);

	if (!io || !io->ts_ns || !(io->flags & (IO_STACKED | IO_NO_QUEUE)))
		return 0;
	io->result = LOAD(bio, bi_status);
	io->ts_ns = bpf_ktime_get_ns();
	io_done(io);
	io->ts_ns = 0;
	return 0;
}

/* ---- requests ---- */

/* One that no bio of ours is in: it was queued before the run, or a program sent it past the block layer (SG_IO). */
static __always_inline bool begin_unknown(const bool typed, struct block_io *io, struct request *rq,
					  __u32 opf)
{
	bool passthrough = (opf & REQ_OP_MASK) >= REQ_OP_PASSTHROUGH;

	if (passthrough ? !filter_passes() : only_known)
		return false;
	*io = no_io;
	io_set_stack(io, passthrough ? event_stack() : 0);
	io->dev = request_dev(typed, rq);
	io->opf = opf;
	if (wanted_dev && io->dev != wanted_dev)
		return false;
	if (passthrough)
		issued_by_current(io);
	return true;
}

static __always_inline __u64 start_of(const bool typed, struct request *rq)
{
	return request_has_start(LOAD(rq, rq_flags)) ? LOAD(rq, start_time_ns) : 0;
}

/* Issued again, after the driver was busy or a part of it was done? */
static __always_inline bool is_again(const struct block_io *io, __u64 start_ns)
{
	return io->ts_ns && io->start_ns == start_ns;
}

TRACEPOINT(block_rq_issue, struct request *rq)
{
	__u64 address = (__u64)rq, start_ns = start_of(typed, rq);
	__u64 bio = (__u64)LOAD(rq, bio);
	__u32 opf = LOAD(rq, cmd_flags);
	struct block_io *from, *io;

	/* The block layer's own, for a request that asks for a flush and has its row. */
	if (!bio && (opf & REQ_OP_MASK) == REQ_OP_FLUSH)
		return 0;
	from = bpf_map_lookup_elem(&queued, &bio);
	io = new_io(&issued, &address);
	if (!io)
		return 0;
	if (from && from->ts_ns) {
		*io = *from;
		io_set_stack(io, io_stack(from));
		from->ts_ns = 0;
	} else if (is_again(io, start_ns)) {
		io->issue_ns = bpf_ktime_get_ns();
		return 0;
	} else if (!begin_unknown(typed, io, rq, opf)) {
		io->ts_ns = 0;
		return 0;
	}
	io->opf |= opf; /* a flush that goes before it is in the bio's flags alone */
	io->start_ns = start_ns;
	io->sector = LOAD(rq, __sector);
	io->bytes = LOAD(rq, __data_len);
	save_place(io);
	io->issue_ns = bpf_ktime_get_ns();
	io->ts_ns = in_sectors(io->sector);
	balance_io(io->ts_ns);
	return 0;
}

/* A flush without data is never issued itself, and its request has lost the flag. */
static __always_inline struct block_io *io_of_flush(const bool typed, struct request *rq)
{
	__u64 bio = (__u64)LOAD(rq, bio);
	struct block_io *io = bpf_map_lookup_elem(&queued, &bio);

	if (!io || !io->ts_ns || !(io->opf & (1U << __REQ_PREFLUSH)))
		return NULL;
	io->start_ns = start_of(typed, rq);
	io->sector = 0;
	io->bytes = 0;
	return io;
}

TRACEPOINT(block_rq_complete, struct request *rq, int error, unsigned int nr_bytes)
{
	__u64 address = (__u64)rq;
	struct block_io *io;

	if (in_flush_sequence(LOAD(rq, rq_flags)) || nr_bytes < LOAD(rq, __data_len))
		return 0;
	io = bpf_map_lookup_elem(&issued, &address);
	if ((!io || !io->ts_ns) && !nr_bytes)
		io = io_of_flush(typed, rq);
	if (!io || !io->ts_ns)
		return 0;
	if (io->issue_ns)
		balance_io(-1);
	io->result = (__s32)ctx[1];
	io->ts_ns = bpf_ktime_get_ns();
	io_done(io);
	io->ts_ns = 0;
	return 0;
}
