/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One event in so many: an exporter over its budget has the programs look at fewer while they run, when the privileges
 * to load others are gone. Each is chosen by chance, for itself, so that nothing that happens in turns is missed, and
 * what is counted stands for so many times as much.
 */
#pragma once

#include "core.h"

const volatile bool may_thin; /* an exporter runs it (src/bpf/thinning.h) */

volatile __u32 one_in SEC(".data.one_in"); /* a power of two; 0, 1: each */

static __always_inline bool is_thinned(void)
{
	return may_thin && one_in > 1;
}

/* A program's first question: later it would cost those who run alone the registers that the dice takes. */
static __always_inline bool thinned_out(void)
{
	return is_thinned() && bpf_get_prandom_u32() & (one_in - 1);
}
