/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counters by key, as lib/core/table.h, where nearly all keys need no lookup in a hash: CELLS(cells,
 * struct key, struct count) is an array in front of a TABLE. A key has two places in it and
 * keeps the one that it took first; where both are others', its counters are in the table.
 * User space adds both up (Entries.cache), because two CPUs that see a new key at the same
 * moment may each give it a place. A key is 32 bytes, given as four words.
 *
 * Rejected: a cache for each CPU that is flushed (user space would see counters fall); task storage
 * (neither in 5.10 nor in raw tracepoints); a hook on task_rename to know a task's name by its
 * number (numbers are used again).
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "lib/core/claim.h"
#include "lib/core/table.h"

#define CELL_BITS 14
#define CELL_WORDS 4

/* A cell begins with this; the value follows. */
struct cell {
	__u32 claims; /* 0: nobody's */
	__u32 mark;   /* of the key, never 0; so nobody takes half of a key for a whole one */
	__u64 key[CELL_WORDS];
};

#define CELLS(name, key_type, value_type)                                                          \
	_Static_assert(sizeof(key_type) == sizeof(((struct cell *)0)->key), "a key is 32 bytes");  \
	struct name##_cell {                                                                       \
		struct cell cell;                                                                  \
		value_type value;                                                                  \
	};                                                                                         \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(max_entries, 1 << CELL_BITS);                                               \
		__type(key, __u32);                                                                \
		__type(value, struct name##_cell);                                                 \
	} name SEC(".maps")

/* By value, so that a key that has its cell is never in memory. */
struct cell_key {
	__u64 words[CELL_WORDS];
};

static __always_inline __u64 cell_mix(struct cell_key key)
{
	__u64 mix = key.words[0] + key.words[1] * 0xC2B2AE3D27D4EB4FULL + key.words[2] * 0x165667B19E3779F9ULL;

	return (mix ^ key.words[3]) * 0x9E3779B97F4A7C15ULL;
}

static __always_inline bool cell_has(const struct cell *cell, struct cell_key key, __u32 mark)
{
	return cell->mark == mark && cell->key[0] == key.words[0] && cell->key[1] == key.words[1] &&
	       cell->key[2] == key.words[2] && cell->key[3] == key.words[3];
}

static __always_inline bool cell_claim(struct cell *cell, struct cell_key key, __u32 mark)
{
	if (!claim(&cell->claims))
		return false;
	cell->key[0] = key.words[0];
	cell->key[1] = key.words[1];
	cell->key[2] = key.words[2];
	cell->key[3] = key.words[3];
	barrier();
	cell->mark = mark;
	return true;
}

/* The counters of a key, new ones if need be; `zero` is an empty value. NULL is a counted loss. */
static __always_inline void *cells_find(void *cells, void *table, struct cell_key key, const void *zero)
{
	const __u64 mix = cell_mix(key);
	const __u32 mark = mix >> 24 | 1; /* on which all words have a say */
	struct cell_key in_memory;
	int i;

#pragma unroll
	for (i = 0; i < 2; i++) {
		__u32 at = mix >> (64 - CELL_BITS) ^ i;
		struct cell *cell = bpf_map_lookup_elem(cells, &at);

		if (!cell)
			break;
		if (cell_has(cell, key, mark) || cell_claim(cell, key, mark))
			return cell + 1;
	}
	in_memory = key;
	return table_find(table, &in_memory, zero);
}
