/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An argument of a tracepoint or function as a number, whatever its type. */
#pragma once

#include "lib/core/tracepoint.h"

/* As a scalar, unlike typed_arg(), which can be multiplied, or passed to a function that is not inlined. */
static __always_inline __u64 arg(tp_ctx *ctx, __u32 n)
{
	__u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), ctx + n);
	return value;
}
