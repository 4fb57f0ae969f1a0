/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a task saves at the beginning of something, until its end: a line of an array, chosen by
 * the thread's number. A hash costs six times as much (insert and delete). Two tasks may want
 * the same line: the later one gets it, and the other's end is a counted loss.
 *
 *	struct read_start { __u32 tid; __u32 ...; __u64 ts_ns; };
 *	static struct read_start starts[START_LINES];
 *
 *	struct read_start *s = &starts[START_LINE(tid)];
 *	start_save(&s->tid, tid);
 *	s->ts_ns = ...
 * and at the end, with the same s:
 *	if (!start_take(&s->tid, tid))
 *		return 0;
 */
#pragma once

#include "lib/core/emit.h"

#define START_LINES 16384
#define START_LINE(tid) ((tid) & (START_LINES - 1))

/* A line that its own task left behind is taken again: the end was not seen, which is no loss here. */
static __always_inline void start_save(__u32 *owner, __u32 tid)
{
	if (*owner && *owner != tid)
		count_loss(LOSS_START);
	*owner = tid;
}

static __always_inline bool start_take(__u32 *owner, __u32 tid)
{
	if (*owner != tid)
		return false;
	*owner = 0;
	return true;
}
