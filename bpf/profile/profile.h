/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What profile counts: samples of a stack. An entry is those of an interval. */
#pragma once

#include <linux/types.h>

#include "lib/user/stack_wire.h"

struct profile_key {
	__u64 stack; /* the key of `stacks`; 0: found no room */
	__u32 tgid;
	__u32 zero;
	char comm[16]; /* of the thread */
};

struct profile_count {
	__u64 samples;
};

struct profile_entry {
	__u64 from_ns, to_ns;
	struct profile_count value;
	struct profile_key key;
};

#ifdef __cplusplus
static_assert(sizeof(profile_entry) == 56);
#endif
