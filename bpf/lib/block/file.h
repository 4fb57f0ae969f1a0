/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The file of a bio, by the first of its pages: that of the page cache which it reads or writes back. What O_DIRECT
 * moves are pages of a process, which may be those of another file that it has mapped: they are neither under
 * writeback nor being filled. Its file is known by the call under way, where iomap does it (ext4, xfs, f2fs and others).
 * A clone has the pages of its bio, unless its device copies or encrypts them, and else the file of that bio, where
 * it is cloned as it is queued. Rejected: the descriptor among the registers of the system call, which io_uring and
 * aio do not have there.
 */
#pragma once

#include "block.h"
#include "compat.h"
#include "fs.h"
#include "mm.h"

#include "lib/block/io_wire.h"

#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFBLK 0060000

#ifndef IO_WITH_FILE /* a tool that shows it defines it before, as true or as a constant of the run */
#define IO_WITH_FILE false
#endif

/* That the page cache is at; 0: none. */
static __always_inline __u64 mapping_of_folio(__u64 folio, bool write)
{
	const __u64 uptodate = 1ULL << bpf_core_enum_value(enum pageflags, PG_uptodate);
	const __u64 locked = 1ULL << bpf_core_enum_value(enum pageflags, PG_locked);
	__u64 mapping = folio_mapping(folio);

	if (!mapping || mapping & PAGE_MAPPING_FLAGS)
		return 0;
	if (write)
		return folio_under_writeback(folio) ? mapping : 0;
	return (folio_flags(folio) & (locked | uptodate)) == locked ? mapping : 0;
}

/* What may be a kiocb is one only if it leads to a regular file that knows itself. */
static __always_inline struct inode *inode_of_kiocb(struct kiocb *kiocb)
{
	struct file *file = BPF_CORE_READ(kiocb, ki_filp);
	struct inode *inode = BPF_CORE_READ(file, f_inode);

	if (!inode || inode != BPF_CORE_READ(file, f_mapping, host))
		return NULL;
	return (BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFREG ? inode : NULL;
}

static __always_inline struct inode *inode_of_iomap(struct bio *bio)
{
	struct iomap_dio *dio = BPF_CORE_READ(bio, bi_private);
	struct iomap_dio_simple *simple = (void *)bio;
	struct inode *inode = NULL;

	if (bpf_core_field_exists(dio->iocb))
		inode = inode_of_kiocb(BPF_CORE_READ(dio, iocb));
	if (inode || !bpf_core_field_exists(simple->bio))
		return inode;
	simple = (void *)bio - bpf_core_field_offset(simple->bio);
	return inode_of_kiocb(BPF_CORE_READ(simple, iocb));
}

/*
 * The file of an O_DIRECT call, 0: not known. What bi_private points to is known to who made the bio alone: iomap, or
 * bio_split(), whose front part has the bio of the rest there (bio_chain()).
 */
static __always_inline struct inode *inode_of_direct(struct bio *bio)
{
	return inode_of_iomap(bio) ?: inode_of_iomap(BPF_CORE_READ(bio, bi_private));
}

static __always_inline void forget_file(struct block_io *io)
{
	io->inode = 0;
	__builtin_memset(io->file, 0, sizeof(io->file));
}

static __always_inline void inherit_file(struct block_io *io, const struct block_io *from)
{
	io->inode = from->inode;
	__builtin_memcpy(io->file, from->file, sizeof(io->file));
}

/* A file that was deleted keeps its name while it is open. What is not known stays as it was where `inherited`. */
static __always_inline void save_file(struct block_io *io, struct bio *bio, __u64 folio, bool inherited)
{
	struct address_space *mapping;
	struct inode *inode = NULL;
	struct dentry *dentry;

	if (folio) {
		mapping = (void *)mapping_of_folio(folio, (io->opf & REQ_OP_MASK) == REQ_OP_WRITE);
		inode = mapping ? BPF_CORE_READ(mapping, host) : inode_of_direct(bio);
	}
	if (!inode && inherited)
		return;
	forget_file(io);
	if (!inode)
		return;
	io->inode = BPF_CORE_READ(inode, i_ino);
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		io->flags |= IO_OF_DEVICE;
	dentry = (void *)inode_alias(inode);
	if (dentry)
		bpf_probe_read_kernel_str(io->file, sizeof(io->file), BPF_CORE_READ(dentry, d_name.name));
}
