/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The file of a bio, by the first of its pages: that of the page cache which it reads or writes back. What O_DIRECT
 * moves are pages of a process, which may be those of another file that it has mapped: they are neither under
 * writeback nor being filled. A clone has the pages of its bio, unless its device copies or encrypts them.
 */
#pragma once

#include "block.h"
#include "compat.h"
#include "fs.h"
#include "mm.h"

#include "lib/block/io_wire.h"

#define S_IFMT 0170000
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

/* A file that was deleted keeps its name while it is open. */
static __always_inline void save_file(struct block_io *io, __u64 folio)
{
	struct address_space *mapping;
	struct dentry *dentry;
	struct inode *inode;

	io->inode = 0;
	__builtin_memset(io->file, 0, sizeof(io->file));
	mapping = folio ? (void *)mapping_of_folio(folio, (io->opf & REQ_OP_MASK) == REQ_OP_WRITE) : NULL;
	if (!mapping)
		return;
	inode = BPF_CORE_READ(mapping, host);
	io->inode = BPF_CORE_READ(inode, i_ino);
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		io->flags |= IO_OF_DEVICE;
	dentry = (void *)inode_alias(inode);
	if (dentry)
		bpf_probe_read_kernel_str(io->file, sizeof(io->file), BPF_CORE_READ(dentry, d_name.name));
}
