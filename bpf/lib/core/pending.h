/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is kept about an object of the kernel (a bio, a request) between two events, found by
 * its address: a set of four in an array. A hash costs six times as much (insert and delete).
 * Where a fifth object wants the same set, one entry is lost: its end then finds none, which is
 * the caller's to count.
 *
 *	struct issue { __u64 request; __u64 ts_ns; };	the address is the first member
 *	PENDING(issues, struct issue);			user space sets PENDING_SETS, or leaves one unused
 *	struct issue *n = pending_begin(&issues, sizeof(*n), address);
 *	n = pending_find(&issues, sizeof(*n), address);	n->request = 0 ends it
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "lib/core/pending_sets.h"

#define PENDING(name, entry_type)                                                                  \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(max_entries, 1);                                                            \
		__type(key, __u32);                                                                \
		__type(value, entry_type[PENDING_WAYS]);                                           \
	} name SEC(".maps")

static __always_inline void *pending_set(void *table, __u64 address)
{
	__u32 set = (address * 0x9E3779B97F4A7C15ULL) >> (64 - PENDING_SET_BITS);

	return bpf_map_lookup_elem(table, &set);
}

static __always_inline void *pending_in(void *set, const __u64 bytes, __u64 address)
{
	int i;

#pragma unroll
	for (i = 0; i < PENDING_WAYS; i++) {
		__u64 *entry = set + i * bytes;

		if (*entry == address)
			return entry;
	}
	return NULL;
}

/* NULL if there is none. */
static __always_inline void *pending_find(void *table, const __u64 bytes, __u64 address)
{
	void *set = pending_set(table, address);

	return set ? pending_in(set, bytes, address) : NULL;
}

/* The object's old entry, an unused one or that of another object. Never NULL in fact. */
static __always_inline void *pending_begin(void *table, const __u64 bytes, __u64 address)
{
	void *set = pending_set(table, address);
	__u64 *entry;

	if (!set)
		return NULL;
	entry = pending_in(set, bytes, address);
	if (!entry)
		entry = pending_in(set, bytes, 0);
	if (!entry)
		entry = set;
	*entry = address;
	return entry;
}
