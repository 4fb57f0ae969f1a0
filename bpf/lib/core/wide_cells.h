/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * lib/core/cells.h for keys of any number of words, which stay in memory: WIDE_CELLS(cells, struct key, struct count) in
 * front of a TABLE with the same key. User space adds both up (Entries.cache). lib/core/hist_groups.h serves no table: it
 * counts, and an entry of a table may also have bytes.
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "lib/core/claim.h"
#include "lib/core/table.h"

#define WIDE_CELL_BITS 12

/* A key is of other members. */
typedef __u64 __attribute__((may_alias)) key_word;

/* A cell begins with this; key and value follow. */
struct wide_cell {
	__u32 claims, mark; /* as in struct cell */
};

#define WIDE_CELLS(name, key_type, value_type)                                                     \
	_Static_assert(sizeof(key_type) % sizeof(key_word) == 0, "a key is words");                \
	struct name##_cell {                                                                       \
		struct wide_cell cell;                                                             \
		__u64 key[sizeof(key_type) / sizeof(__u64)];                                       \
		value_type value;                                                                  \
	};                                                                                         \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(max_entries, 1 << WIDE_CELL_BITS);                                          \
		__type(key, __u32);                                                                \
		__type(value, struct name##_cell);                                                 \
	} name SEC(".maps")

static __always_inline key_word *wide_cell_key(struct wide_cell *cell)
{
	return (key_word *)(cell + 1);
}

static __always_inline __u64 wide_cell_mix(const key_word *key, const __u32 words)
{
	__u64 mix = 0;
	__u32 i;

#pragma unroll
	for (i = 0; i < words; i++)
		mix = (mix ^ key[i]) * 0x9E3779B97F4A7C15ULL;
	return mix;
}

static __always_inline bool wide_cell_has(struct wide_cell *cell, const key_word *key, const __u32 words,
					  __u32 mark)
{
	__u64 differences = cell->mark ^ mark;
	__u32 i;

#pragma unroll
	for (i = 0; i < words; i++)
		differences |= wide_cell_key(cell)[i] ^ key[i];
	return !differences;
}

static __always_inline bool wide_cell_claim(struct wide_cell *cell, const key_word *key, const __u32 words,
					    __u32 mark)
{
	__u32 i;

	if (!claim(&cell->claims))
		return false;
#pragma unroll
	for (i = 0; i < words; i++)
		wide_cell_key(cell)[i] = key[i];
	barrier();
	cell->mark = mark;
	return true;
}

/* As cells_find(). `key` is all of the table's, `words` of 8 bytes. */
static __always_inline void *wide_cells_find(void *cells, void *table, const void *key, const __u32 words,
					     const void *zero)
{
	const __u64 mix = wide_cell_mix(key, words);
	const __u32 mark = mix >> 16 | 1;
	__u32 i;

#pragma unroll
	for (i = 0; i < 2; i++) {
		__u32 at = mix >> (64 - WIDE_CELL_BITS) ^ i;
		struct wide_cell *cell = bpf_map_lookup_elem(cells, &at);

		if (!cell)
			break;
		if (wide_cell_has(cell, key, words, mark) || wide_cell_claim(cell, key, words, mark))
			return wide_cell_key(cell) + words;
	}
	return table_find(table, key, zero);
}
