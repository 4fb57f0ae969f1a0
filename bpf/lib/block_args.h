/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The bio or request of a block tracepoint, whose arguments began with the request_queue before
 * 5.11; those of requests do no longer in 5.10 since a stable release. The tool sets the knobs.
 */
#pragma once

#include "lib/tracepoint.h"

const volatile __u32 queue_args;	 /* 1 where block_bio_* and block_getrq begin with the queue */
const volatile __u32 request_queue_args; /* the same of block_rq_issue, _insert, _merge, _requeue */

/* Typed and untyped contexts alike; a scalar, so that it can be passed on. */
static __always_inline __u64 arg(tp_ctx *ctx, __u32 i)
{
	__u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), ctx + i);
	return value;
}

static __always_inline __u64 bio_arg(tp_ctx *ctx)
{
	return queue_args ? arg(ctx, 1) : arg(ctx, 0);
}

static __always_inline __u64 request_arg(tp_ctx *ctx)
{
	return request_queue_args ? arg(ctx, 1) : arg(ctx, 0);
}
