/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every loss has a number, counted on the BPF side and named on the other. The first numbers
 * belong to the library; a tool's own begin at LOSS_TOOL. Shared by both sides.
 */
#pragma once

enum loss {
	LOSS_RING_FULL, /* a record found no room in the ring buffer */
	LOSS_TREE_FULL, /* a child process found no room in the set of followed processes */
	LOSS_TABLE_FULL, /* a key found no room in a map of counters */
	LOSS_START,	 /* the beginning of something was overwritten by another task's: its end is not counted */
	LOSS_TOOL = 4,
	LOSS_EVENT_STACK = 16, /* those of stacks, where a tool's events have them */
	LOSS_MAX = 32,
};
