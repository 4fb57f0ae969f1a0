/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A program that began, of lib/user/program_starts.h. Shared by both sides. */
#pragma once

#include <linux/types.h>

/* What decides which libraries it will have: its file, and what it sees at their paths. */
struct program_id {
	__u64 ino;
	__u64 root_ino; /* of its root directory */
	__u64 mounts;	/* its mount namespace, by a number that is not used again */
	__u64 changes;	/* of what is mounted there */
	__u32 dev;
	__u32 root_dev;
	__u32 mounts_inum; /* the namespace as /proc/PID/ns/mnt says it */
	__u32 zero;
};

struct program_start {
	struct program_id id;
	__u32 tgid;
	__u32 wanted; /* it passes the filters by the name that it begins with */
};

enum { PROGRAMS_LOOKED_AT = 4096 };
