/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What fsdist counts: an entry is a slot of one histogram in an interval, as user space reads and records it. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/fs/names.h"

struct fsdist_key {
	__u32 fs; /* 1 + the file system; 0: all in one histogram */
	__u32 tgid;
	char comm[16];
	__u32 slot; /* of nanoseconds; slot / HIST_SLOTS is the fs_op */
};

struct fsdist_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct fsdist_key key;
	__u32 zero;
};

#ifdef __cplusplus
static_assert(sizeof(fsdist_entry) == 72, "no padding");
#endif
