/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What iosize counts: an entry is a slot of the histogram of one call, or of one call of one process, in an interval; or
   the total of one call of one process. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/core/loss.h"

enum { IOSIZE_RETURNED, IOSIZE_REQUESTED, IOSIZE_SHORT, IOSIZE_FAILED };
enum { IOSIZE_BY_KIND, IOSIZE_BY_CALL, IOSIZE_BY_PROCESS };

/* Instead of the number of a call: all that read, all that write, all that copy. */
enum { IOSIZE_READS = 1000, IOSIZE_WRITES = 1001, IOSIZE_COPIES = 1002 };

enum { IOSIZE_CALLS = 512 }; /* above all numbers of system calls */
enum {
	IOSIZE_WANTED = 1,
	IOSIZE_WRITING = 2,
	IOSIZE_COPYING = 4,   /* between two descriptors: the third argument is where to, the first from where, the fifth the size */
	IOSIZE_OUT_FIRST = 8, /* the same, but the first, the second and the fourth */
	IOSIZE_32BIT = 16,    /* the number is that of such a call of 32-bit programs: alone, or as well */
};

enum iosize_loss {
	LOSS_32BIT = LOSS_TOOL, /* a 32-bit program's call: its arguments are not read */
};

struct iosize_key {
	__u32 call; /* number */
	__u32 slot; /* of the size in bytes; of a total 0 */
	/* what follows by process only, and of totals */
	__u32 tgid;
	__u32 zero;
	char comm[16];
};

struct iosize_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct iosize_key key;
};

struct iosize_total {
	__u64 calls, bytes;
};

struct iosize_total_entry {
	__u64 from_ns, to_ns;
	struct iosize_total value;
	struct iosize_key key;
};

#ifdef __cplusplus
static_assert(sizeof(iosize_entry) == 72 && sizeof(iosize_total_entry) == 64);
#endif
