/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The size of lib/core/note.h's arrays. Shared by both sides. */
#pragma once

enum {
	NOTE_SET_BITS = 12,
	NOTE_SETS = 1 << NOTE_SET_BITS,
	NOTE_WAYS = 4,
};
