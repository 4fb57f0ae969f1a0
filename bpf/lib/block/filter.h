/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which I/O a tool looks at: --disk, a disk or a partition of it, and of requests --cgroup, the
 * group that the I/O is charged to, which need not be that of the task that issues it.
 * src/subsys/block.cpp sets the constants.
 */
#pragma once

#include "block.h"
#include "cgroup.h"
#include "compat.h"

#include "lib/core/tracepoint.h"

#define CGROUP_DEPTH 64 /* levels with an I/O controller */

const volatile __u64 wanted_blkcg;		 /* in this cgroup or below it */
const volatile __u32 wanted_dev;		 /* this disk, and there: */
const volatile __u64 sectors_begin, sectors_end; /* this partition; 0, 0: all */

static __always_inline bool in_blkcg(struct bio *bio)
{
	struct blkcg *blkcg = BPF_CORE_READ(bio, bi_blkg, blkcg);
	struct cgroup_subsys_state *css = __builtin_preserve_access_index(&blkcg->css);
	int i;

	for (i = 0; i < CGROUP_DEPTH && blkcg && css; i++) {
		if (BPF_CORE_READ(css, cgroup, kn, id) == wanted_blkcg)
			return true;
		css = BPF_CORE_READ(css, parent);
	}
	return false;
}

static __always_inline bool in_sectors(__u64 sector)
{
	const __u64 sectors = sectors_end - sectors_begin;

	return !sectors || sector - sectors_begin < sectors;
}

static __always_inline bool block_filter_passes(const bool typed, struct request *rq)
{
	if (wanted_dev && (request_dev(typed, rq) != wanted_dev || !in_sectors(LOAD(rq, __sector))))
		return false;
	return !wanted_blkcg || in_blkcg(LOAD(rq, bio));
}
