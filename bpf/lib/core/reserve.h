/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reserves an entry of an array for one CPU. Of two CPUs that try at the same moment, one or none succeeds. Without
 * compare-and-exchange, which BPF has since 5.12: each adds 1, and who then reads 1 is alone.
 */
#pragma once

#include "core.h"

static __always_inline void release(__u32 *reservations)
{
	__sync_fetch_and_add(reservations, -1);
}

/* `reservations` is 0 in a free entry. */
static __always_inline bool try_reserve(__u32 *reservations)
{
	if (*reservations)
		return false;
	__sync_fetch_and_add(reservations, 1);
	if (*(volatile __u32 *)reservations == 1)
		return true;
	release(reservations);
	return false;
}
