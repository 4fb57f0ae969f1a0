/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What profile counts: samples of a stack. An entry is those of an interval. */
#pragma once

#include <linux/types.h>

#include "lib/user/stack_wire.h"

enum profile_by { /* in the order of the words of --by */
	PROFILE_BY_PRIO = 1,
	PROFILE_BY_CPU = 2,
	PROFILE_BY_CGROUP = 4,
	PROFILE_BY_TID = 8,
	PROFILE_BY_TIME = 16,
	PROFILE_BY_UNIT = 32, /* whose the cgroup is: rows of several become one in user space */
	PROFILE_BY_CONTAINER = 64,
	PROFILE_BY_POD = 128,
	PROFILE_BY_OWNER = PROFILE_BY_UNIT | PROFILE_BY_CONTAINER | PROFILE_BY_POD,
};

#define PROFILE_TIME_NS 31250000 /* 1/32 s */

struct profile_key {
	__u64 stack; /* the key of `stacks`; 0: found no room */
	__u64 cgroup;
	__u64 time_ns; /* when the part of the wall clock's second begins in which it was taken */
	__u32 tgid;
	__u32 by; /* enum profile_by; the others' members are 0 */
	__u32 tid;
	__u32 cpu;
	__u32 prio;
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
static_assert(sizeof(profile_entry) == 88);
#endif
