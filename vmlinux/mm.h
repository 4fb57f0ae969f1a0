/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page cache: include/linux/mm_types.h, page-flags.h, fs.h */
#pragma once

#include "core.h"
#include "trees.h"

struct file;
struct inode;

struct address_space {
	struct inode *host;
	unsigned long nrpages;
	unsigned long flags; /* enum mapping_flags */
} CORE;
#define AS_ERRORS 3 /* AS_EIO, AS_ENOSPC: writeback failed since the last fsync */
/* The low bits of page.mapping tell anonymous and movable pages from page cache. */
#define PAGE_MAPPING_FLAGS 3

struct page {
	unsigned long flags;
	struct address_space *mapping;
	unsigned long index;
	unsigned long compound_head; /* of a tail page: the head's address + 1 */
} CORE;

struct folio {
	unsigned long flags;
	struct address_space *mapping;
	unsigned long index; /* in the file, in pages */
} CORE;

struct vm_area_struct {
	unsigned long vm_start, vm_end;
	unsigned long vm_flags;
	unsigned long vm_pgoff; /* of the start in the file, in pages */
	struct file *vm_file; /* NULL: none backs it */
	struct rb_node vm_rb; /* before 6.1 */
} CORE;
#define VM_EXEC 0x00000004

struct kmem_cache {
	unsigned int size; /* of an object, with what the allocator adds */
} CORE;

struct percpu_counter {
	__s64 count; /* without what CPUs have for themselves yet */
} CORE;

struct mm_struct {
	struct percpu_counter rss_stat[4]; /* pages, by MM_FILEPAGES and so on */
	unsigned long arg_start, arg_end; /* in user memory, arguments separated by NUL */
	struct maple_tree mm_mt; /* of vm_area_struct, since 6.1 */
	struct rb_root mm_rb; /* before */
} CORE;

/* Relocated: the positions differ by kernel and configuration. */
enum pageflags {
	PG_locked = 0,
	PG_referenced = 2,
	PG_uptodate = 3,
	PG_writeback = 1,
	PG_head = 6,
};
