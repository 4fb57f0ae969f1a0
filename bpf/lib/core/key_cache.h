/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counters by key, as lib/core/table.h, where nearly all keys need no lookup in a hash: KEY_CACHE(cached,
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

#include "lib/core/reserve.h"
#include "lib/core/table.h"

#define KEY_CACHE_BITS 14
#define KEY_CACHE_WORDS 4

/* An entry begins with this; the value follows. */
struct cache_entry {
	__u32 reservations; /* 0: nobody's */
	__u32 mark;   /* of the key, never 0; so nobody takes half of a key for a whole one */
	__u64 key[KEY_CACHE_WORDS];
};

#define KEY_CACHE(name, key_type, value_type)                                                      \
	_Static_assert(sizeof(key_type) == sizeof(((struct cache_entry *)0)->key), "a key is 32 bytes"); \
	struct name##_entry {                                                                      \
		struct cache_entry entry;                                                          \
		value_type value;                                                                  \
	};                                                                                         \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(max_entries, 1 << KEY_CACHE_BITS);                                          \
		__type(key, __u32);                                                                \
		__type(value, struct name##_entry);                                                \
	} name SEC(".maps")

/* By value, so that a key that has its entry is never in memory. */
struct cache_key {
	__u64 words[KEY_CACHE_WORDS];
};

static __always_inline __u64 cache_mix(struct cache_key key)
{
	__u64 mix = key.words[0] + key.words[1] * 0xC2B2AE3D27D4EB4FULL + key.words[2] * 0x165667B19E3779F9ULL;

	return (mix ^ key.words[3]) * 0x9E3779B97F4A7C15ULL;
}

static __always_inline bool cache_has(const struct cache_entry *entry, struct cache_key key, __u32 mark)
{
	return entry->mark == mark && entry->key[0] == key.words[0] && entry->key[1] == key.words[1] &&
	       entry->key[2] == key.words[2] && entry->key[3] == key.words[3];
}

static __always_inline bool cache_reserve(struct cache_entry *entry, struct cache_key key, __u32 mark)
{
	if (!try_reserve(&entry->reservations))
		return false;
	entry->key[0] = key.words[0];
	entry->key[1] = key.words[1];
	entry->key[2] = key.words[2];
	entry->key[3] = key.words[3];
	barrier();
	entry->mark = mark;
	return true;
}

/* The counters of a key, new ones if need be; `zero` is an empty value. NULL is a counted loss. */
static __always_inline void *key_cache_find(void *cache, void *table, struct cache_key key, const void *zero)
{
	const __u64 mix = cache_mix(key);
	const __u32 mark = mix >> 24 | 1; /* on which all words have a say */
	struct cache_key in_memory;
	int i;

#pragma unroll
	for (i = 0; i < 2; i++) {
		__u32 at = mix >> (64 - KEY_CACHE_BITS) ^ i;
		struct cache_entry *entry = bpf_map_lookup_elem(cache, &at);

		if (!entry)
			break;
		if (cache_has(entry, key, mark) || cache_reserve(entry, key, mark))
			return entry + 1;
	}
	in_memory = key;
	return table_find(table, &in_memory, zero);
}
