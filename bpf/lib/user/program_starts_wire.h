/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A program that began, of lib/user/program_starts.h. Shared by both sides. */
#pragma once

#include <linux/types.h>

/* What decides which libraries it will have: its file, and the mounts that it sees. */
struct program_id {
	__u64 ino;
	__u64 mounts; /* the kernel's address of its mount namespace */
	__u32 dev;
	__u32 pad;
};

struct program_start {
	struct program_id id;
	__u32 tgid;
	__u32 pad;
};

enum { PROGRAMS_LOOKED_AT = 4096 };
