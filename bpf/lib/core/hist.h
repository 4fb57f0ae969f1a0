/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counts in slots: HIST(sizes) declares the map, hist_add(&sizes, value) counts one value. The
 * map is per CPU and only grows; user space takes differences.
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "lib/core/hist_slots.h"
#include "lib/core/table.h"

#define HIST(name) HISTS(name, 1)

/* A few histograms, for hists_add(): the slot of the n-th is n * HIST_SLOTS + its own. */
#define HISTS(name, n)                                                                             \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);                                           \
		__uint(max_entries, (n) * HIST_SLOTS);                                                 \
		__type(key, __u32);                                                                \
		__type(value, __u64);                                                              \
	} name SEC(".maps")

/* The position of the highest bit; value is not 0. */
static __always_inline __u32 hist_log2(__u64 value)
{
	__u32 log2 = 0;

	if (value >> 32)
		log2 += 32;
	if (value >> (log2 + 16))
		log2 += 16;
	if (value >> (log2 + 8))
		log2 += 8;
	if (value >> (log2 + 4))
		log2 += 4;
	if (value >> (log2 + 2))
		log2 += 2;
	if (value >> (log2 + 1))
		log2 += 1;
	return log2;
}

static __always_inline __u32 hist_slot(__u64 value)
{
	__u32 shift;

	if (value < 1 << HIST_PRECISION_BITS)
		return value;
	shift = hist_log2(value) - HIST_PRECISION_BITS;
	return (shift << HIST_PRECISION_BITS) + (__u32)(value >> shift);
}

/*
 * Several histograms: HIST_BY(sizes, struct size_key, 65536), the key of the map ending with
 * __u32 slot, which is hist_slot(value). An element is a slot of one of them.
 */
#define HIST_BY(name, key_type, entries)                                                           \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_HASH);                                                   \
		__uint(max_entries, entries);                                                      \
		__type(key, key_type);                                                             \
		__type(value, __u64);                                                              \
	} name SEC(".maps")

/* `key` is all of the map's key; no room is a counted loss. */
static __always_inline void hist_count(void *hist, const void *key)
{
	const __u64 zero = 0;
	__u64 *count = table_find(hist, key, &zero);

	if (count)
		__sync_fetch_and_add(count, 1);
}

static __always_inline void hists_add(void *hists, __u32 n, __u64 value)
{
	__u32 slot = n * HIST_SLOTS + hist_slot(value);
	__u64 *count = bpf_map_lookup_elem(hists, &slot);

	if (count)
		__sync_fetch_and_add(count, 1);
}

static __always_inline void hist_add(void *hist, __u64 value)
{
	hists_add(hist, 0, value);
}
