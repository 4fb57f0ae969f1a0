/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What cachestat counts, in pages: an entry is an interval, of the whole machine, a process or a file. */
#pragma once

#include <linux/types.h>

enum { CACHESTAT_BY_NOTHING, CACHESTAT_BY_PROCESS, CACHESTAT_BY_FILE };

enum { CACHESTAT_NAME = 64 };

struct cachestat_counts {
	__u64 accessed; /* by reads and faults */
	__u64 missed;	/* of these: were not there */
	__u64 ahead;	/* brought in although nobody had asked for them yet */
	__u64 created;	/* brought in by writes */
	__u64 dirtied;
	__u64 faulted; /* of the accessed ones: by page faults */
	__u64 spare[2];
};

struct cachestat_key {
	__u64 ino; /* by file, with dev */
	__u32 dev; /* the kernel's dev_t */
	__u32 tgid; /* by process */
	char name[CACHESTAT_NAME]; /* of either; without a zero byte it was cut */
};

struct cachestat_entry {
	__u64 from_ns, to_ns;
	struct cachestat_counts value;
	__u64 buffers_bytes, cached_bytes; /* /proc/meminfo at to_ns; only by nothing */
	struct cachestat_key key;
};

#ifdef __cplusplus
static_assert(sizeof(cachestat_entry) == 176);
#endif
