/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * HIST_BY for a hot path. A key that was counted before is known by a number, a group, which the
 * caller keeps where it finds it again (a line of the thread): to compare the key of that group
 * costs a tenth of hashing it. A group's counters come in blocks of the 16 slots of a power of two.
 * Where groups or blocks are used up, counts go to the HIST_BY map itself; user space reads both
 * (src/bpf/counters.h). Two CPUs may find the same key new at once: then it has two groups, whose
 * sum is right.
 *
 * Beside lib/core/key_cache.h: keys are longer than 32 bytes here, and a name is compared but not hashed. Rejected:
 * all slots for each key (8 KB a process); a key without the name (an exec would go on under the old one).
 */
#pragma once

#include "lib/core/reserve.h"
#include "lib/core/hist.h"
#include "lib/core/hist_groups_wire.h"

struct hist_group_key {
	__u64 words[HIST_GROUP_WORDS];
};

#define HIST_TRIES 4 /* so many CPUs may be at it at once */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, HIST_GROUPS);
	__type(key, __u32);
	__type(value, struct hist_group);
} hist_groups SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, HIST_BLOCKS);
	__type(key, __u32);
	__type(value, struct hist_block);
} hist_blocks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, HIST_GROUPS);
	__type(key, struct hist_group_key);
	__type(value, __u32);
} hist_numbers SEC(".maps");

static __u32 hist_last_group, hist_last_block;

static __always_inline bool hist_is_group(const struct hist_group *group, const struct hist_group_key *key,
					  const __u32 words)
{
	__u64 differences = 0;
	__u32 i;

#pragma unroll
	for (i = 0; i < words; i++)
		differences |= group->key[i] ^ key->words[i];
	return !differences;
}

/* Once for each group and caller. 0: there is no room. */
static __noinline __u32 hist_find_group(struct hist_group_key *key)
{
	__u32 *known = bpf_map_lookup_elem(&hist_numbers, key), number;
	struct hist_group *group;
	int i;

	if (known)
		return *known;
	for (i = 0; i < HIST_TRIES; i++) {
		number = hist_last_group + 1;
		group = bpf_map_lookup_elem(&hist_groups, &number);
		if (!group)
			return 0;
		hist_last_group = number;
		if (!try_reserve(&group->reservations))
			continue;
		__builtin_memcpy(group->key, key->words, sizeof(group->key));
		bpf_map_update_elem(&hist_numbers, key, &number, BPF_ANY);
		return number;
	}
	return 0;
}

/* Once for each power of two of a group. */
static __noinline __u32 hist_new_block(__u32 group_number, __u32 slot)
{
	struct hist_group *group = bpf_map_lookup_elem(&hist_groups, &group_number);
	struct hist_block *block;
	__u32 number;
	int i;

	for (i = 0; group && i < HIST_TRIES; i++) {
		number = hist_last_block + 1;
		block = bpf_map_lookup_elem(&hist_blocks, &number);
		if (!block)
			return 0;
		hist_last_block = number;
		if (!try_reserve(&block->reservations))
			continue;
		block->slot = slot & ~(HIST_BLOCK_SLOTS - 1);
		block->group = group_number;
		group->blocks[slot / HIST_BLOCK_SLOTS & (HIST_GROUP_BLOCKS - 1)] = number;
		return number;
	}
	return 0;
}

static __always_inline struct hist_group *hist_known_group(struct hist_group_key *key, const __u32 words,
							 __u32 *number)
{
	struct hist_group *group = bpf_map_lookup_elem(&hist_groups, number);

	if (!group || hist_is_group(group, key, words))
		return group;
	*number = hist_find_group(key);
	return *number ? bpf_map_lookup_elem(&hist_groups, number) : NULL;
}

static __always_inline bool hist_add_in_block(struct hist_group *group, __u32 group_number, __u32 slot, __u64 value)
{
	__u32 number = group->blocks[slot / HIST_BLOCK_SLOTS & (HIST_GROUP_BLOCKS - 1)];
	struct hist_block *block;

	if (!number)
		number = hist_new_block(group_number, slot);
	block = number ? bpf_map_lookup_elem(&hist_blocks, &number) : NULL;
	if (!block)
		return false;
	hist_add_value(&block->slots[slot % HIST_BLOCK_SLOTS], value);
	return true;
}

/*
 * As hist_add_by(). `key` has `words` of 8 bytes, the last 4 of them the slot, which is set here; it is never all
 * zeros. *known is the caller's: the group of the last key that it was used for, or 0.
 */
static __always_inline void hist_add_known(void *hist, void *key, const __u32 words, __u32 slot, __u64 value,
					   __u32 *known)
{
	struct hist_group_key wide = {};
	struct hist_group *group;
	__u32 number = *known;

	__builtin_memcpy(wide.words, key, words * 8);
	group = hist_known_group(&wide, words, &number);
	if (number != *known)
		*known = number;
	if (group && hist_add_in_block(group, number, slot, value))
		return;
	((__u32 *)key)[2 * words - 1] = slot;
	hist_add_by(hist, key, value);
}
