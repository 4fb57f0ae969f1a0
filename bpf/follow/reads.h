/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What happens to a sampled read on its way, beside bios: the pages that it adds, and its sleep. */
#pragma once

#include "calls.h"
#include "compat.h"
#include "core.h"
#include "follow.h"

/* The sampled read puts a folio into the page cache: neighbours are told at once, by the first that is none. */
__noinline int add_folio(__u64 folio)
{
	__u32 tid = current_tid();
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	__u64 lo;

	if (!c || c->mapping != folio_mapping(folio))
		return 0;
	lo = folio_index(folio) << page_shift;
	if (lo != c->added_end) {
		emit_added(c);
		c->added = lo;
	}
	c->added_end = lo + (folio_pages(folio) << page_shift);
	c->added_ns = bpf_ktime_get_ns();
	return 0;
}

/* The thread, which is the current one, waits. */
__noinline int sleep_call(__u32 tid)
{
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);

	if (!c)
		return 0;
	c->asleep = 1;
	emit_call(HOP_SLEEP, c, 0);
	return 0;
}

/* A thread that waited has a CPU again; the current one is still that which gives it. */
__noinline int run_call(__u32 tid, __u64 task)
{
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	struct follow_hop *h;

	if (!c || !c->asleep)
		return 0;
	c->asleep = 0;
	h = new_hop(HOP_RUN);
	if (!h)
		return 0;
	h->id = c->sample;
	h->mapping = c->mapping;
	h->lo = c->lo;
	h->hi = c->hi;
	h->tgid = BPF_CORE_READ((struct task_struct *)task, tgid);
	h->tid = tid;
	bpf_probe_read_kernel_str(h->comm, sizeof(h->comm), &((struct task_struct *)task)->comm);
	emit_submit(h, sizeof(*h));
	return 0;
}
