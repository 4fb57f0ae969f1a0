/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Bios, requests, disks: include/linux/blk_types.h, bvec.h, blk-mq.h, blkdev.h */
#pragma once

#include "core.h"
#include "kernfs.h"

struct page;

struct request_queue;

struct gendisk {
	int major;
	int first_minor;
	struct request_queue *queue;
	struct kobject *slave_dir;
} CORE;

struct block_device {
	struct gendisk *bd_disk;
	__u32 bd_dev;
} CORE;

struct bio_vec {
	struct page *bv_page;
	unsigned int bv_len;
	unsigned int bv_offset;
} CORE;

struct bvec_iter {
	__u64 bi_sector; /* of 512 bytes */
	unsigned int bi_size;
	unsigned int bi_idx;
	unsigned int bi_bvec_done;
} CORE;

struct blkcg_gq;

struct bio {
	struct bio *bi_next; /* the next one in the same request */
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	__u8 bi_status;
	struct bvec_iter bi_iter;
	struct blkcg_gq *bi_blkg; /* whom the I/O is charged to */
	void *bi_private;	  /* of who gets its end */
	unsigned short bi_vcnt; /* 0 in clones */
	struct bio_vec *bi_io_vec;
} CORE;

/* What fs/iomap knows of an O_DIRECT call while it is under way: behind bi_private, or (from 7.3 on) around the bio. */
struct iomap_dio {
	struct kiocb *iocb;
} CORE;

struct iomap_dio_simple {
	struct kiocb *iocb;
	struct bio bio;
} CORE;

#define REQ_OP_MASK 0xff
#define REQ_OP_READ 0
#define REQ_OP_WRITE 1
#define REQ_OP_FLUSH 2
#define REQ_OP_PASSTHROUGH 32 /* and above: commands to the driver (in 5.10 also those of SCSI) */
#define __REQ_PREFLUSH 18

enum req_flag_bits {
	__REQ_SYNC = 11, /* relocated */
	__REQ_META = 12,
	__REQ_FUA = 17,
};

struct blk_mq_ops;

struct request_queue {
	struct gendisk *disk; /* 5.15 and later */
	const struct blk_mq_ops *mq_ops; /* NULL: it has bios, not requests */
} CORE;

/* 6.10 and later; before, it was bit 4 of rq_flags. */
enum rqf_flags {
	__RQF_FLUSH_SEQ = 1,
	__RQF_IO_STAT = 8,
};
#define RQF_FLUSH_SEQ_6_9 4

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;
	__u32 rq_flags;
	int tag;
	unsigned int __data_len; /* bytes left */
	__u64 __sector;
	struct bio *bio; /* the first one that is not complete; none in a flush */
	__u64 start_time_ns; /* allocated; see request_has_start() */
	__u64 io_start_time_ns; /* issued; 0 unless the queue has a use for it */
} CORE;
