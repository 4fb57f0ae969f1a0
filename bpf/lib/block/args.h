/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The bio or request of a block tracepoint, whose arguments began with the request_queue before
 * 5.11; those of requests do no longer in 5.10 since a stable release. src/bpf/block_args.h sets the constants.
 */
#pragma once

#include "lib/core/arg.h"
#include "lib/core/tracepoint.h"

const volatile __u32 queue_args;	 /* 1 where block_bio_* and block_getrq begin with the queue */
const volatile __u32 request_queue_args; /* the same of block_rq_issue, _insert, _merge, _requeue */

/* before_5_11: its place in those kernels. */
static __always_inline struct bio *typed_bio_arg(tp_ctx *ctx, const __u32 before_5_11)
{
	return (void *)(queue_args ? typed_arg(ctx, before_5_11) : typed_arg(ctx, 0));
}

static __always_inline __u64 bio_arg(tp_ctx *ctx, const __u32 before_5_11)
{
	return arg(ctx, queue_args ? before_5_11 : 0);
}

static __always_inline __u64 request_arg(tp_ctx *ctx)
{
	return arg(ctx, request_queue_args ? 1 : 0);
}
