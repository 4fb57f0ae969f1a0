/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counters that a hot path adds to: COUNTS(totals, struct read_count) is one value, kept in
 * COUNT_SHARDS copies so that CPUs do not share a line; add with __sync_fetch_and_add to
 * COUNTS_HERE(totals). A direct load costs a twentieth of a lookup in a per-CPU map. User space
 * sums the copies (Entries.shards); a value is 64 bytes of 64-bit counters, or a multiple.
 */
#pragma once

#include <bpf/bpf_helpers.h>

#include "lib/core/count_shards.h"

#define COUNTS(name, type)                                                                         \
	type name[COUNT_SHARDS] SEC(".data." #name) __attribute__((aligned(64)))

#define COUNTS_HERE(name) (&name[bpf_get_smp_processor_id() & (COUNT_SHARDS - 1)])
