/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Blocks of memory that a process has not freed yet, and what memleak makes of them: those of a stack. */
#pragma once

#include <linux/types.h>

#include "lib/user/stack_wire.h"

enum memory_call { /* by their arguments */
	CALL_MALLOC, /* (size) */
	CALL_CALLOC, /* (count, size) */
	CALL_REALLOC, /* (old, size) */
	CALL_REALLOCARRAY, /* (old, count, size) */
	CALL_MEMALIGN, /* (alignment, size) */
	CALL_POSIX_MEMALIGN, /* (where to put the address, alignment, size) */
	CALL_FREE, /* (old) */
	MEMORY_CALLS,
};

struct block_key {
	__u64 address;
	__u32 tgid;
	__u32 zero;
};

struct block {
	__u64 bytes;
	__u64 ts_ns; /* when it was allocated */
	__u64 stack;
};

/* The same of the kernel. */
struct kernel_block {
	__u64 bytes;
	__u64 ts_ns;
	__u64 stack;
	__u32 tgid; /* of who allocated it */
	__u32 zero;
	char comm[16]; /* of the thread */
};

enum memleak_loss {
	LOSS_BLOCK = LOSS_STACK_TOOL, /* found no room */
	LOSS_PROCESS, /* its blocks are not told from those of the program that it ran before */
	LOSS_RESIDENT, /* a process found no room in `residents` */
	LOSS_ALLOCATOR, /* a program in which no function that allocates is known */
	LOSS_UNTRACED, /* a process that ended before it was looked at, or could not be traced */
};

struct leak_key {
	__u64 stack; /* the key of `stacks`; 0: found no room */
	__u32 tgid;
	__u32 zero;
	char comm[16]; /* of the process; of memory of the kernel, of the thread */
};

struct leak_count {
	__u64 bytes;
	__u64 count;
	__u64 age_ns; /* of the oldest */
};

struct leak_entry {
	__u64 from_ns, to_ns;
	struct leak_count value;
	struct leak_key key;
};

enum resident_kind { /* the kernel's MM_FILEPAGES and so on */
	RESIDENT_FILE,
	RESIDENT_ANON,
	RESIDENT_SWAPPED, /* not resident */
	RESIDENT_SHMEM,
	RESIDENT_KINDS,
};

struct growth_key {
	__u64 stack; /* as in leak_key */
	__u32 tgid;
	__u32 kind; /* enum resident_kind */
	char comm[16]; /* of the thread */
};

struct growth_count {
	__u64 grown_bytes;
	__u64 shrunk_bytes;
};

struct growth_entry {
	__u64 from_ns, to_ns;
	struct growth_count value;
	struct growth_key key;
};

#ifdef __cplusplus
static_assert(sizeof(block_key) == 16 && sizeof(block) == 24 && sizeof(kernel_block) == 48 && sizeof(leak_entry) == 72 &&
	      sizeof(growth_entry) == 64);
#endif
