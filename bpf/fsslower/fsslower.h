/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What fsslower sends to user space: a call that took long. */
#pragma once

#include <linux/types.h>

#include "lib/fs/names.h"
#include "lib/fs/path_names.h"

/* Who served the call. */
enum fsslower_cache {
	CACHE_NONE,   /* an open or an fsync that neither read nor waited: nothing to say */
	CACHE_HIT,    /* a read that neither read from the device nor waited */
	CACHE_AHEAD,  /* the same, but it began to read ahead for later calls */
	CACHE_MISS,   /* the call read from the device: the data, the rest of a page that it writes, metadata */
	CACHE_WAIT,   /* it waited, but read nothing itself: a lock, somebody else's read, writeback */
	CACHE_CACHED, /* a write to the page cache that did not wait */
	CACHE_SYNC,   /* a write that had to be durable at its return: O_SYNC, O_DSYNC */
	CACHE_DIRECT, /* O_DIRECT */
	CACHE_DIRECT_SYNC,
	CACHE_ASYNC, /* aio or io_uring: only the submission was seen */
	CACHE_FAILED,
};

#define NAME_ONLY 2 /* path.whole: the name without its directories was asked for */

struct fsslower_event {
	__u64 ts_ns; /* CLOCK_MONOTONIC, of the beginning */
	__u64 lat_ns;
	__s64 offset; /* in the file; -1: none, or not known */
	__s64 result; /* bytes, or a negative errno */
	__u32 tgid;
	__u32 tid;
	__u32 op;    /* fs_op */
	__u32 fs;    /* the file system */
	__u32 cache; /* fsslower_cache */
	__u32 dev;   /* of the super block */
	char comm[16];
	struct path_names path; /* ends early */
};

#ifdef __cplusplus
static_assert(sizeof(fsslower_event) == 72 + sizeof(path_names), "no padding");
#endif
