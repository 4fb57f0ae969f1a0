/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What biotop counts: an entry is the I/O of a kind in an interval, with --files of a file. */
#pragma once

#include <linux/types.h>

struct biotop_key {
	__u32 tgid;
	__u32 by;  /* enum io_by */
	__u32 dev; /* of the whole disk */
	__u32 operation;
	__u32 stacked;
	char comm[16];
};

struct biotop_file_key {
	struct biotop_key io;
	__u32 file_flags; /* IO_OF_DEVICE and REQ_META */
	__u64 inode;   /* 0: of no file that is known */
	char file[64]; /* its name, as in struct block_io */
};

struct biotop_count {
	__u64 ios;
	__u64 bytes;
	__u64 queue_ns;
	__u64 device_ns;
	__u64 errors;
};

struct biotop_entry {
	__u64 from_ns, to_ns;
	struct biotop_count value;
	struct biotop_file_key key; /* without --files its `io` alone */
};

#ifdef __cplusplus
static_assert(sizeof(biotop_entry) == 168, "no padding");
#endif
