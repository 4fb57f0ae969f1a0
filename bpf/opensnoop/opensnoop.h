/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What opensnoop sends to user space: each open as its call returned. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/fs/path_names.h"

#define OPEN_NAME 4097 /* a name, its NUL, and a byte more: a longer one fails with ENAMETOOLONG */

struct open_event {
	__u64 ts_ns;   /* CLOCK_MONOTONIC, at the end of the call */
	__u64 lat_ns;  /* of the call; 0 if it was not asked for, or began before strata looked */
	__u64 flags;   /* O_* */
	__u64 resolve; /* RESOLVE_* of openat2 */
	__s32 result;  /* the descriptor, or a negative errno */
	__s32 dirfd;
	__u32 mode;
	__u32 uid;
	__u32 tgid;
	__u32 tid;
	char comm[16];
	__u32 unread; /* 1: the name could not be read */
	__u32 pad;
	struct path_names dir; /* with --full-path, where the name begins; else empty */
	/* The name follows dir's without a gap, at dir.names + dir.bytes; the record ends with its NUL. */
	char more[2 * PATH_BYTES + OPEN_NAME - sizeof(((struct path_names *)0)->names) - 1];
};

enum open_loss {
	LOSS_NAME = LOSS_TOOL, /* a name was not in memory any more when the call ended */
};

#ifdef __cplusplus
static_assert(sizeof(open_event) == 80 + 8 + 2 * PATH_BYTES + OPEN_NAME - 1, "no padding");
#endif
