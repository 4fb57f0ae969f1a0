/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A place that one CPU gets: of two at the same moment one or none does. 5.10 has no exchange, but an addition is seen by both. */
#pragma once

#include "core.h"

static __always_inline void claim_end(__u32 *claims)
{
	__sync_fetch_and_add(claims, -1);
}

/* `claims` is 0 where the place is free. */
static __always_inline bool claim(__u32 *claims)
{
	if (*claims)
		return false;
	__sync_fetch_and_add(claims, 1);
	if (*(volatile __u32 *)claims == 1)
		return true;
	claim_end(claims);
	return false;
}
