/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Values in slots: HIST(sizes) declares the map, hist_add(&sizes, value) adds one value. The
 * map is per CPU and only grows; user space takes differences.
 *
 * Rejected: one sum and one maximum for each histogram, which would be a second lookup for each value.
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
		__type(value, struct hist_values);                                                 \
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
		__type(value, struct hist_values);                                                 \
	} name SEC(".maps")

/*
 * The count comes last: whoever reads meanwhile has the sum and the maximum of what is counted. Where two CPUs, or an
 * interrupt and what it interrupted, have a new maximum of one slot at the same time, the smaller one may stay.
 */
static __always_inline void hist_add_value(struct hist_values *values, __u64 value)
{
	if (value > values->max)
		values->max = value;
	__sync_fetch_and_add(&values->sum, value);
	__sync_fetch_and_add(&values->count, 1);
}

/* `key` is all of the map's key, with the slot of this value; no room is a counted loss. */
static __always_inline void hist_add_by(void *hist, const void *key, __u64 value)
{
	static const struct hist_values zero;
	struct hist_values *values = table_find(hist, key, &zero);

	if (values)
		hist_add_value(values, value);
}

static __always_inline void hists_add(void *hists, __u32 n, __u64 value)
{
	__u32 slot = n * HIST_SLOTS + hist_slot(value);
	struct hist_values *values = bpf_map_lookup_elem(hists, &slot);

	if (values)
		hist_add_value(values, value);
}

static __always_inline void hist_add(void *hist, __u64 value)
{
	hists_add(hist, 0, value);
}
