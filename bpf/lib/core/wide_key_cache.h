/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * lib/core/key_cache.h for keys of any number of words, which stay in memory: WIDE_KEY_CACHE(cached, struct key, struct count) in
 * front of a TABLE with the same key. User space adds both up (Entries.cache). lib/core/hist_groups.h serves no table: it
 * counts, and an entry of a table may also have bytes.
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "lib/core/reserve.h"
#include "lib/core/table.h"

#define WIDE_KEY_CACHE_BITS 12

/* A key is of other members. */
typedef __u64 __attribute__((may_alias)) key_word;

/* An entry begins with this; key and value follow. */
struct wide_cache_entry {
	__u32 reservations, mark; /* as in struct cache_entry */
};

#define WIDE_KEY_CACHE(name, key_type, value_type)                                                 \
	_Static_assert(sizeof(key_type) % sizeof(key_word) == 0, "a key is words");                \
	struct name##_entry {                                                                      \
		struct wide_cache_entry entry;                                                     \
		__u64 key[sizeof(key_type) / sizeof(__u64)];                                       \
		value_type value;                                                                  \
	};                                                                                         \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(max_entries, 1 << WIDE_KEY_CACHE_BITS);                                     \
		__type(key, __u32);                                                                \
		__type(value, struct name##_entry);                                                \
	} name SEC(".maps")

static __always_inline key_word *wide_cache_key(struct wide_cache_entry *entry)
{
	return (key_word *)(entry + 1);
}

static __always_inline __u64 wide_cache_mix(const key_word *key, const __u32 words)
{
	__u64 mix = 0;
	__u32 i;

#pragma unroll
	for (i = 0; i < words; i++)
		mix = (mix ^ key[i]) * 0x9E3779B97F4A7C15ULL;
	return mix;
}

static __always_inline bool wide_cache_has(struct wide_cache_entry *entry, const key_word *key, const __u32 words,
					  __u32 mark)
{
	__u64 differences = entry->mark ^ mark;
	__u32 i;

#pragma unroll
	for (i = 0; i < words; i++)
		differences |= wide_cache_key(entry)[i] ^ key[i];
	return !differences;
}

static __always_inline bool wide_cache_reserve(struct wide_cache_entry *entry, const key_word *key, const __u32 words,
					    __u32 mark)
{
	__u32 i;

	if (!try_reserve(&entry->reservations))
		return false;
#pragma unroll
	for (i = 0; i < words; i++)
		wide_cache_key(entry)[i] = key[i];
	barrier();
	entry->mark = mark;
	return true;
}

/* As key_cache_find(). `key` is all of the table's, `words` of 8 bytes. */
static __always_inline void *wide_key_cache_find(void *cache, void *table, const void *key, const __u32 words,
					     const void *zero)
{
	const __u64 mix = wide_cache_mix(key, words);
	const __u32 mark = mix >> 16 | 1;
	__u32 i;

#pragma unroll
	for (i = 0; i < 2; i++) {
		__u32 at = mix >> (64 - WIDE_KEY_CACHE_BITS) ^ i;
		struct wide_cache_entry *entry = bpf_map_lookup_elem(cache, &at);

		if (!entry)
			break;
		if (wide_cache_has(entry, key, words, mark) || wide_cache_reserve(entry, key, words, mark))
			return wide_cache_key(entry) + words;
	}
	return table_find(table, key, zero);
}
