// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Block I/O counted by process, disk and operation. */
#include "core.h"

#include "biotop.h"

const volatile bool by_file;
#define IO_WITH_FILE by_file
#include "lib/block/io.h"
#include "lib/core/table.h"

TABLE(ios, struct biotop_key, struct biotop_count, 16384);
TABLE(files, struct biotop_file_key, struct biotop_count, 16384); /* by_file */

static __always_inline __u64 between(__u64 from, __u64 to)
{
	return from && to > from ? to - from : 0;
}

/* A write of nothing that asks for a flush is one. */
static __always_inline __u32 operation_of(const struct block_io *io)
{
	__u32 operation = io->opf & REQ_OP_MASK;

	if (operation == REQ_OP_WRITE && !io->bytes && io->opf & (1U << __REQ_PREFLUSH))
		return REQ_OP_FLUSH;
	return operation;
}

static __always_inline void save_key(struct biotop_key *key, const struct block_io *io)
{
	key->tgid = io->tgid;
	key->by = io->by;
	key->dev = io->dev;
	key->operation = operation_of(io);
	key->stacked = (io->flags & IO_STACKED) != 0;
	__builtin_memcpy(key->comm, io->comm, sizeof(key->comm));
}

static __always_inline struct biotop_count *count_of(const struct block_io *io)
{
	static const struct biotop_count zero;
	struct biotop_key key;

	save_key(&key, io);
	return table_find(&ios, &key, &zero);
}

static __always_inline struct biotop_count *count_of_file(const struct block_io *io)
{
	static const struct biotop_count zero;
	struct biotop_file_key key;

	save_key(&key.io, io);
	key.file_flags = (io->flags & IO_OF_DEVICE) | (io->opf & (1U << __REQ_META));
	key.inode = io->inode;
	__builtin_memcpy(key.file, io->file, sizeof(key.file));
	return table_find(&files, &key, &zero);
}

static __always_inline void io_done(struct block_io *io)
{
	struct biotop_count *count = by_file ? count_of_file(io) : count_of(io);

	if (!count)
		return;
	__sync_fetch_and_add(&count->ios, 1);
	__sync_fetch_and_add(&count->bytes, io->bytes);
	__sync_fetch_and_add(&count->queue_ns, io->issue_ns ? between(io->start_ns, io->issue_ns) : 0);
	__sync_fetch_and_add(&count->device_ns, between(io->issue_ns ?: io->start_ns, io->ts_ns));
	if (io->result)
		__sync_fetch_and_add(&count->errors, 1);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
