/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The shape of a log-linear histogram, as src/model/histogram.h: each power of two is split into
 * 1 << HIST_PRECISION_BITS slots. Shared by both sides.
 */
#pragma once

#include <linux/types.h>

enum {
	HIST_PRECISION_BITS = 4,
	HIST_SLOTS = (64 - HIST_PRECISION_BITS + 1) << HIST_PRECISION_BITS,
};

/* The values counted in one slot. The slot gives a value only to 1/16; sum and max are exact. */
struct hist_values {
	__u64 count;
	__u64 sum;
	__u64 max; /* since the element was made */
};
