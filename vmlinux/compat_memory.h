/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* As compat.h, for the accounts that the kernel keeps of memory. */
#pragma once

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "mm.h"

/* 6.2 (f1a7941243c1) replaced the counters of mm_struct.rss_stat by per-CPU ones. */
struct mm_struct___6_1 {
	struct {
		struct {
			__s64 counter;
		} count[4];
	} rss_stat;
} CORE;

/* Pages of a kind, but for what CPUs (before: threads) have counted for themselves and not handed in. */
static __always_inline __s64 mm_resident_pages(struct mm_struct *mm, __u32 kind)
{
	struct mm_struct___6_1 *old = (void *)mm;
	__u64 at = (__u64)mm;
	__s64 pages = 0;

	if (bpf_core_field_exists(old->rss_stat.count))
		at += bpf_core_field_offset(old->rss_stat.count) + kind * sizeof(pages);
	else
		at += bpf_core_field_offset(mm->rss_stat) + kind * bpf_core_type_size(struct percpu_counter) +
		      bpf_core_field_offset(struct percpu_counter, count);
	bpf_probe_read_kernel(&pages, sizeof(pages), (void *)at);
	return pages;
}

/*
 * Has kmem_cache_alloc the cache as its third argument? 6.1 (11e9734bcb6a) did so, and took the other classes of these tracepoints
 * away. Before, the fourth one is how large the object is (6.0 alone has both, and that is how large it was wanted).
 */
struct trace_event_raw_kmem_alloc {
	unsigned long bytes_alloc;
} CORE;

static __always_inline bool cache_tells_bytes(void)
{
	return !bpf_core_type_exists(struct trace_event_raw_kmem_alloc);
}
