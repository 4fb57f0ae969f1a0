/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is noted about an object of the kernel (a bio, a request) between two events, found by
 * its address: a set of four in an array. A hash costs six times as much (insert and delete).
 * Where a fifth object wants the same set, one note is lost: its end then finds none, which is
 * the caller's to count.
 *
 *	struct issue { __u64 request; __u64 ts_ns; };	the address is the first member
 *	NOTES(issues, struct issue);			user space sets NOTE_SETS, or leaves one unused
 *	struct issue *n = note_begin(&issues, sizeof(*n), address);
 *	n = note_find(&issues, sizeof(*n), address);	n->request = 0 ends it
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "lib/core/note_sets.h"

#define NOTES(name, note_type)                                                                     \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(max_entries, 1);                                                            \
		__type(key, __u32);                                                                \
		__type(value, note_type[NOTE_WAYS]);                                               \
	} name SEC(".maps")

static __always_inline void *note_set(void *notes, __u64 address)
{
	__u32 set = (address * 0x9E3779B97F4A7C15ULL) >> (64 - NOTE_SET_BITS);

	return bpf_map_lookup_elem(notes, &set);
}

static __always_inline void *note_in(void *set, const __u64 bytes, __u64 address)
{
	int i;

#pragma unroll
	for (i = 0; i < NOTE_WAYS; i++) {
		__u64 *note = set + i * bytes;

		if (*note == address)
			return note;
	}
	return NULL;
}

/* NULL if there is none. */
static __always_inline void *note_find(void *notes, const __u64 bytes, __u64 address)
{
	void *set = note_set(notes, address);

	return set ? note_in(set, bytes, address) : NULL;
}

/* The object's old note, an unused one or that of another object. Never NULL in fact. */
static __always_inline void *note_begin(void *notes, const __u64 bytes, __u64 address)
{
	void *set = note_set(notes, address);
	__u64 *note;

	if (!set)
		return NULL;
	note = note_in(set, bytes, address);
	if (!note)
		note = note_in(set, bytes, 0);
	if (!note)
		note = set;
	*note = address;
	return note;
}
