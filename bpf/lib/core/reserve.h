/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A place that one CPU gets: of two at the same moment one or none does. 5.10 has no exchange, but an addition is seen by both. */
#pragma once

#include "core.h"

static __always_inline void release(__u32 *reservations)
{
	__sync_fetch_and_add(reservations, -1);
}

/* `reservations` is 0 where the place is free. */
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
