/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The size of lib/core/pending.h's arrays. Shared by both sides. */
#pragma once

enum {
	PENDING_SET_BITS = 12,
	PENDING_SETS = 1 << PENDING_SET_BITS,
	PENDING_WAYS = 4,
};
