/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A block I/O and who caused it, as bpf/lib/block/io.h finds out. Shared by both sides. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"

enum io_by {
	BY_UNKNOWN, /* it was submitted before the run */
	BY_ISSUED,  /* the task submitted it itself */
	BY_DIRTIED, /* writeback: the task had dirtied the pages that somebody else, or itself, had written */
};

enum io_flag {
	IO_STACKED = 1,	   /* a bio of a device that is made of others (device mapper, md): other_dev is where it went */
	IO_NO_QUEUE = 2,   /* a bio of another device without requests (zram, pmem) */
	IO_MOVED = 4,	   /* came to this device as it was from other_dev (md raid0, nvme multipath), which has no row */
	IO_SEQUENTIAL = 8, /* begins where the disk's last one ended */
	IO_RANDOM = 16,
	IO_REMAPPED = 32, /* internal: other_dev was set for the bio that comes next */
	IO_OF_DEVICE = 64, /* its pages are those of the disk itself: metadata, a journal, or who opened /dev/DISK */
};

struct block_io {
	__u64 ts_ns;	/* its end; CLOCK_MONOTONIC, as the others */
	__u64 start_ns; /* queued; 0: not known */
	__u64 issue_ns; /* given to the driver; 0: never (a stacked device, a flush without data) */
	__u64 sector;	/* of 512 bytes */
	__u64 cgroup;
	__u32 bytes;
	__u32 dev;	 /* the kernel's dev_t of the whole disk */
	__u32 other_dev; /* of a stacked device where it went to; else the stacked device that it came from; 0: none */
	__u32 opf;	 /* bi_opf, cmd_flags */
	__s32 result;	 /* a blk_status_t, or a negative errno before 5.16 */
	__u32 flags;
	__u32 by;
	__u32 tgid, tid; /* of whom `by` speaks; 0 outside of strata's PID namespace */
	__u32 issuer_tgid;
	char comm[16];
	char issuer[16]; /* of BY_DIRTIED: who submitted it */
	__u64 inode;	 /* of the file that it reads or writes; 0: not known */
	char file[64];	 /* its name, without directories */
};

enum block_io_loss {
	LOSS_IO_ROOM = LOSS_TOOL, /* no room to note an I/O */
	LOSS_IO_END,		  /* issued, and not seen to complete */
	LOSS_IO_DIRTIER,	  /* no room to note who dirtied a page: its writeback is shown as issued */
};

#ifdef __cplusplus
static_assert(sizeof(block_io) == 184, "no padding");
#endif
