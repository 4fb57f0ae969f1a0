/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the infos of lib/net/sock_info.h are, by a key that is never 0: in a set of two in an array,
 * and where both are others' in a hash, which alone would be far dearer at each change (jhash,
 * insert, delete). With an array alone, as lib/core/pending.h, some are lost: sockets live long and are many.
 * Rejected: socket storage, which neither 5.10 nor raw tracepoints have.
 */
#pragma once

#include "lib/core/reserve.h"
#include "lib/core/emit.h"
#include "lib/net/sock_wire.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1 << SOCK_SET_BITS);
	__type(key, __u32);
	__type(value, struct sock_set);
} sock_sets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u64);
	__type(value, struct sock_info);
} sock_infos SEC(".maps");

/* NULL where the tool has no room for them (then nobody makes any). */
static __always_inline struct sock_set *sock_set_of(__u64 key)
{
	__u32 at = (key * 0x9E3779B97F4A7C15ULL) >> (64 - SOCK_SET_BITS);

	return bpf_map_lookup_elem(&sock_sets, &at);
}

static __always_inline struct sock_place *sock_place_in(struct sock_set *set, __u64 key)
{
	int i;

#pragma unroll
	for (i = 0; set && i < SOCK_WAYS; i++)
		if (set->places[i].key == key)
			return &set->places[i];
	return NULL;
}

static __always_inline struct sock_info *sock_info_find(__u64 key)
{
	struct sock_place *place = sock_place_in(sock_set_of(key), key);

	return place ? &place->info : bpf_map_lookup_elem(&sock_infos, &key);
}

/* Instead of an old one with this key. NULL is a counted loss. */
static __always_inline struct sock_info *sock_info_put(__u64 key, const struct sock_info *info)
{
	struct sock_set *set = sock_set_of(key);
	struct sock_place *place = sock_place_in(set, key);
	int i;

#pragma unroll
	for (i = 0; set && !place && i < SOCK_WAYS; i++)
		if (try_reserve(&set->places[i].reservations))
			place = &set->places[i];
	if (place) {
		place->info = *info;
		barrier();
		place->key = key;
		return &place->info;
	}
	if (bpf_map_update_elem(&sock_infos, &key, info, BPF_ANY)) {
		count_loss(LOSS_TABLE_FULL);
		return NULL;
	}
	return bpf_map_lookup_elem(&sock_infos, &key);
}

static __always_inline void sock_info_drop(__u64 key)
{
	struct sock_place *place = sock_place_in(sock_set_of(key), key);

	if (!place) {
		bpf_map_delete_elem(&sock_infos, &key);
		return;
	}
	place->key = 0;
	barrier();
	release(&place->reservations);
}
