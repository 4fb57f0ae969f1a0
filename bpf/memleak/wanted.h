/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which blocks are kept. */
#pragma once

#include "core.h"

#include <bpf/bpf_helpers.h>

const volatile __u64 min_bytes, max_bytes; /* 0: any */
const volatile __u64 sample = 1; /* one of so many allocations, whatever their size and order */

static __always_inline bool is_wanted(__u64 bytes)
{
	return bytes >= min_bytes && (!max_bytes || bytes <= max_bytes) && (sample <= 1 || bpf_get_prandom_u32() % sample == 0);
}
