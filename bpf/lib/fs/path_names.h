/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A path as a BPF program leaves it (lib/fs/path.h) and src/kern/path.h reads it. Shared by both sides. */
#pragma once

#include <linux/types.h>

#define PATH_BYTES 1024 /* of names that are kept; the last name may pass it */
#define PATH_NAME 256

struct path_names {
	__u32 bytes; /* used */
	__u32 whole; /* 0: directories near the root are missing */
	char names[PATH_BYTES + PATH_NAME]; /* from the file up to the root, each with its NUL */
};
