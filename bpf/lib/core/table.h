/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counters by key: TABLE(files, struct file_key, struct file_count, 16384). They only grow, and
 * user space takes differences (src/bpf/counters.h); a value has 64-bit counters only, and
 * nothing is ever deleted. Add with __sync_fetch_and_add: all CPUs share an element.
 *
 * What finds no room is counted under a key of which all bits are set, which no tool has: where
 * user space put that into the map (a row "(others)"), sums stay right. Elsewhere it is a loss.
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "lib/core/emit.h"

#define TABLE(name, key_type, value_type, entries)                                                 \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_HASH);                                                   \
		__uint(max_entries, entries);                                                      \
		__type(key, key_type);                                                             \
		__type(value, value_type);                                                         \
	} name SEC(".maps")

#define E2BIG 7
#define TABLE_KEY_BYTES 320 /* the longest key that a tool has, and more */

static const __u8 table_others[TABLE_KEY_BYTES] = {[0 ... TABLE_KEY_BYTES - 1] = 0xff};

/* The counters of a key, new ones if need be; `zero` is an empty value. NULL is a counted loss. */
static __always_inline void *table_find(void *table, const void *key, const void *zero)
{
	void *value = bpf_map_lookup_elem(table, key);
	long err;

	if (value)
		return value;
	err = bpf_map_update_elem(table, key, zero, BPF_NOEXIST);
	value = bpf_map_lookup_elem(table, err == -E2BIG ? (const void *)table_others : key);
	if (!value)
		count_loss(LOSS_TABLE_FULL);
	return value;
}
