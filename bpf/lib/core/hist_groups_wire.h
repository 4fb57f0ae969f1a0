/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The maps of lib/core/hist_groups.h, as both sides see them. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"

#define HIST_GROUP_WORDS 8
#define HIST_GROUPS 1024
#define HIST_BLOCKS 4096
#define HIST_GROUP_BLOCKS 128 /* of two of HISTS() */
#define HIST_BLOCK_SLOTS (1 << HIST_PRECISION_BITS)

struct hist_group {
	__u64 key[HIST_GROUP_WORDS]; /* of the tool, with slot 0; padded with zeros */
	__u16 blocks[HIST_GROUP_BLOCKS]; /* by slot / HIST_BLOCK_SLOTS; 0: none yet */
	__u32 reservations; /* 0: nobody's */
	__u32 zero;
};

struct hist_block {
	__u32 group;
	__u32 slot; /* the first one */
	__u32 reservations;
	__u32 zero;
	struct hist_values slots[HIST_BLOCK_SLOTS];
};

#ifdef __cplusplus
static_assert(sizeof(hist_group) == 328 && sizeof(hist_block) == 400);
#endif
