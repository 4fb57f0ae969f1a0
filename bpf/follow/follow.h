/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What bpf/follow/follow.bpf.c tells src/follow: hops of sampled writes, reads or fsyncs, each with the location of the
 * bytes at that layer. Sectors have 512 bytes, times are CLOCK_MONOTONIC, ranges are half open.
 */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/fs/path_names.h"

enum follow_kind {
	/* The system call; id is the sample. */
	HOP_ENTER = 1, /* a struct follow_start: a call was sampled; [lo, hi) is what it intends */
	HOP_AGAIN,     /* the same kiocb came back after -EAGAIN */
	HOP_LEAVE,     /* result; [lo, hi) is what it wrote or read */
	HOP_UNKEPT,    /* the marks of the sample were not set, for the loss in result: it will not be followed */
	/* The page cache; [lo, hi) is one folio. */
	HOP_DIRTY,	   /* clean to dirty, in the sampled call; id is the sample */
	HOP_DROP,	   /* left the page cache while marked: truncated, or clean and reclaimed */
	HOP_END_WRITEBACK, /* of marked pages; object is the folio; result: not 0 if writeback of the file has failed */
	HOP_SYNC_ENTER,	   /* fsync and its kin; [lo, hi) is what they wait for. mapping 0: sync and syncfs,
			      of the file system dev; 0 is all */
	HOP_SYNC_LEAVE,	   /* result; lo is the size of the file, or mapping and dev as above */
	/* The block layer: bios. id is the track, parent the track that it was cloned from. */
	HOP_BIO,	  /* queued with marked pages (result: the size of the file), or by a sampled
			     O_DIRECT call (id of it: parent). Reads: of a file that a sampled read is in;
			     parent is the read that queued it, 0 if somebody else did. Told once more, as
			     it was when it was queued, to a read that comes while it is under way.
			     Fsyncs: the same, and all that their threads and journals write beside it
			     (BIO_META, BIO_FLUSH, BIO_FUA); without sectors it is a flush alone. */
	HOP_REMAP,	  /* to (dev, sector) by a stacked device */
	HOP_BIO_COMPLETE, /* of a device without requests, or before there was one; result is a blk_status_t */
	HOP_SPLIT,	  /* the front part is [sector, sector + sectors) */
	HOP_MERGE,	  /* into a request that was there */
	HOP_GETRQ,	  /* a request of its own */
	/* The block layer: requests that cover a track. object is the request. */
	HOP_INSERT,
	HOP_ISSUE,
	HOP_REQUEUE,
	HOP_COMPLETE, /* result: a blk_status_t, or a negative errno before 5.16 */
	/* The system call again. */
	HOP_ABANDONED, /* the thread is in another one: the end of the sampled one was not seen */
	/* The page cache again. */
	HOP_FALLOCATE, /* fallocate() zeroed [lo, hi) or made a hole of it */
	HOP_WRITE_INODE, /* the flusher wrote an inode whose data no bio has; flags: FILE_* */
	/* A sampled read; id is the sample. */
	HOP_ADD,   /* it put the pages [lo, hi) into the page cache, neighbours at once; result: the file's size */
	HOP_SLEEP, /* its thread sleeps */
	HOP_RUN,   /* and runs again; both of a sampled fsync, too */
	/* While there is a sampled fsync: a commit of ext4's journal by this thread; id is the transaction's number, parent
	   the device number of the file system */
	HOP_COMMIT_START, /* or it was under way when the fsync came, which is told once more, as it was then */
	HOP_COMMIT_FLUSH, /* nobody is in the transaction any more: first others' ordered data are written, */
	HOP_COMMIT_LOG,	  /* then the journal's own blocks */
	HOP_COMMIT_END,
	HOP_COMMIT_WAIT, /* its thread waits for a page of mapping that somebody else writes */
	HOP_FILE, /* a struct follow_start: the file of a mapping whose pages a commit writes or waits for */
};

/* Why a bio was submitted. */
enum follow_cause {
	CAUSE_OTHER,
	CAUSE_WRITER,	  /* the sampled call itself: O_DIRECT, O_SYNC, O_DSYNC */
	CAUSE_FSYNC,	  /* fsync or its kin, by the same task */
	CAUSE_BACKGROUND, /* the flusher: too many dirty pages */
	CAUSE_PERIODIC,	  /* the flusher: the pages became old */
	CAUSE_SYNC,	  /* the flusher, for somebody who waits (sync, syncfs) */
	CAUSE_RECLAIM,	  /* memory is short */
	CAUSE_READER,	  /* the sampled read itself */
	CAUSE_COMMIT,	  /* the journal's thread, for a commit; where fsyncs are followed */
};

/* follow_start.flags, also in the constant `calls` */
enum follow_flag {
	CALL_POSITIONED = 1, /* the position is an argument, not the file's */
	CALL_APPEND = 2,
	CALL_DIRECT = 4,
	CALL_SYNC = 8,	   /* O_SYNC or O_DSYNC: durable at return */
	CALL_ASYNC = 16,   /* aio, io_uring: the caller does not wait */
	CALL_UNSURE = 32,  /* HOP_LEAVE only: others moved the position, the range is not known */
	CALL_DEVICE = 64,  /* the file is a block device */
	CALL_STIRRED = 128, /* HOP_LEAVE only: marks were used during the call and set again */
	BIO_DIRECT = 256,  /* HOP_BIO only: its pages are the caller's, not the file's */
	/* HOP_SYNC_LEAVE, HOP_WRITE_INODE, and HOP_LEAVE of CALL_SYNC: where the file's data are if no bio has them */
	FILE_INLINE = 512,      /* in the inode, or beside it */
	FILE_JOURNALLED = 1024, /* in the journal */
	BIO_OTHER_PAGES = 4096, /* HOP_BIO of a read only: of pages that are neither the file's nor the caller's:
				   what they have is compressed */
	BIO_META = 8192,   /* HOP_BIO of an fsync only: metadata that somebody waits for */
	BIO_FLUSH = 16384, /* the same: the device's cache is written first */
	BIO_FUA = 32768,   /* the same: it is durable when it completes */
	CALL_NUMBERED = 2048, /* HOP_ENTER only: `call` is a number, also if it is 0, which read(2) has */
};

/* How the constant `calls` describes a system call; a read has the arguments of its write. */
enum follow_call {
	CALL_NONE,
	CALL_WRITE,    /* (fd, buf, len) */
	CALL_PWRITE,   /* (fd, buf, len, pos) */
	CALL_WRITEV,   /* (fd, iov, n) */
	CALL_PWRITEV,  /* (fd, iov, n, pos) */
	CALL_PWRITEV2, /* (fd, iov, n, pos or -1, high, flags) */
	CALL_SENDFILE, /* (fd, in, *pos, len) */
	CALL_SPLICE,   /* (in, *pos, fd, *pos, len) */
	CALL_FSYNC,    /* (fd); from here on they are no writes. What is sampled if fsyncs are followed */
	CALL_SYNC_ALL, /* () */
	CALL_SYNC_FS,  /* (fd) */
	CALL_FALLOCATE, /* (fd, mode, pos, len) */
	CALL_SUBMIT,   /* (ring, n): of aio, io_uring, whose writes are no system calls */
};

struct follow_hop {
	__u64 ts_ns;
	__u64 id;
	__u64 parent;
	__u64 mapping; /* the file's page cache: its identity while the inode lives; 0 if not known */
	__u64 lo, hi;  /* bytes of the file */
	__u64 sector;
	__u64 object; /* address of the bio, request or folio: an identity between start and end only */
	__s64 result;
	__u32 sectors; /* HOP_ENTER: the page size; 0 in old recordings */
	__u32 dev;   /* kernel's dev_t: major << 20 | minor, of the whole disk; HOP_ENTER of an fsync: the file system's */
	__u32 opf;   /* bi_opf, cmd_flags: REQ_* */
	__u32 flags; /* follow_flag */
	__u32 kind;
	__u32 cause;
	__u32 cpu;
	__u32 tgid;
	__u32 tid;
	__u32 call; /* HOP_ENTER, HOP_SYNC_ENTER: the system call's number, 0 if not known */
	char comm[16];
};

#define FILE_END 0x7fffffffffffffffULL /* of a range that goes to the end of the file */

struct follow_start {
	struct follow_hop hop;
	__u64 inode;
	__u32 generation;
	__u32 fs_dev;	  /* of the super block */
	struct path_names path;
};

enum follow_loss {
	LOSS_MARKS_FULL = LOSS_TOOL, /* pages of a sample found no room */
	LOSS_TRACKS_FULL,	     /* a bio with sampled pages found no room */
	LOSS_CALLS_FULL,	     /* more sampled calls at a time than room */
	LOSS_TOO_LARGE,		     /* a write of more pages than are marked */
};

#ifdef __cplusplus
static_assert(sizeof(follow_hop) == 128, "no padding");
static_assert(sizeof(follow_start) == 128 + 16 + sizeof(path_names), "no padding");
#endif
