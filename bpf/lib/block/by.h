/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The task that caused a bio: for writeback the one that dirtied its pages, which is kept for each
 * MiB of a file; else the current one, which submits it. Tools show which of the two it is (BY).
 * Rejected: always the current task, which for writeback is a kworker.
 */
#pragma once

#include "compat.h"
#include "core.h"

#include "lib/block/io_wire.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "lib/core/tracepoint.h"

#define DIRTY_PAGES_SHIFT 8 /* pages that share an entry */

const volatile __u32 page_shift = 12;

struct dirty_place {
	__u64 mapping;
	__u64 chunk;
};

struct dirtier {
	__u64 who; /* the kernel's tgid << 32 | tid */
	__u64 cgroup;
	__u32 tgid, tid;
	__u32 passes; /* it was asked for */
	__u32 zero;
	char comm[16];
};

/* LRU: nothing tells when a page is clean again. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct dirty_place);
	__type(value, struct dirtier);
} dirtied SEC(".maps");

static __always_inline int save_dirtier(__u64 mapping, __u64 index)
{
	struct dirty_place place = {.mapping = mapping, .chunk = index >> DIRTY_PAGES_SHIFT};
	struct dirtier *known = bpf_map_lookup_elem(&dirtied, &place);
	struct dirtier d = {.who = bpf_get_current_pid_tgid()};
	__u64 pid_tgid;

	if (known && known->who == d.who)
		return 0;
	pid_tgid = filter_pid_tgid();
	d.tgid = pid_tgid >> 32;
	d.tid = pid_tgid;
	d.passes = filter_passes();
	d.cgroup = bpf_get_current_cgroup_id();
	bpf_get_current_comm(d.comm, sizeof(d.comm));
	if (bpf_map_update_elem(&dirtied, &place, &d, BPF_ANY))
		count_loss(LOSS_IO_DIRTIER);
	return 0;
}

TRACEPOINT(writeback_dirty_folio, struct folio *folio, struct address_space *mapping)
{
	return save_dirtier((__u64)mapping, LOAD(folio, index));
}

/* 5.15 and before */
TRACEPOINT(writeback_dirty_page, struct page *page, struct address_space *mapping)
{
	return save_dirtier((__u64)mapping, LOAD(page, index));
}

/* What the bio begins with. */
static __always_inline __u64 first_folio(struct bio *bio)
{
	struct bio_vec *vec = (void *)BPF_CORE_READ(bio, bi_io_vec) +
			      BPF_CORE_READ(bio, bi_iter.bi_idx) * bpf_core_type_size(struct bio_vec);
	__u64 offset = BPF_CORE_READ(vec, bv_offset) + bio_vec_done((__u64)bio);
	__u64 page = (__u64)BPF_CORE_READ(vec, bv_page) +
		     (offset >> page_shift) * bpf_core_type_size(struct page);

	return page_head(page);
}

/* Who dirtied it. NULL: it is not writeback, or it was dirty before the run. */
static __always_inline struct dirtier *dirtier_of(__u64 folio)
{
	struct dirty_place place = {.mapping = folio_mapping(folio)};

	/* A page of the cache may also be what an O_DIRECT write takes its bytes from. */
	if (!place.mapping || place.mapping & PAGE_MAPPING_FLAGS || !folio_under_writeback(folio))
		return NULL;
	place.chunk = folio_index(folio) >> DIRTY_PAGES_SHIFT;
	return bpf_map_lookup_elem(&dirtied, &place);
}

static __always_inline void issued_by_current(struct block_io *io)
{
	__u64 pid_tgid = filter_pid_tgid();

	io->by = BY_ISSUED;
	io->tgid = pid_tgid >> 32;
	io->tid = pid_tgid;
	io->issuer_tgid = io->tgid;
	io->cgroup = bpf_get_current_cgroup_id();
	bpf_get_current_comm(io->comm, sizeof(io->comm));
}

static __always_inline void dirtied_by(struct block_io *io, const struct dirtier *d)
{
	io->by = BY_DIRTIED;
	io->tgid = d->tgid;
	io->tid = d->tid;
	io->issuer_tgid = filter_pid_tgid() >> 32;
	io->cgroup = d->cgroup;
	__builtin_memcpy(io->comm, d->comm, sizeof(io->comm));
	bpf_get_current_comm(io->issuer, sizeof(io->issuer));
}

/* False if it was not asked for. */
static __always_inline bool save_cause(struct block_io *io, __u64 folio, __u32 opf)
{
	struct dirtier *d = (opf & REQ_OP_MASK) == REQ_OP_WRITE ? dirtier_of(folio) : NULL;

	if (d ? !d->passes : !filter_passes())
		return false;
	if (d)
		dirtied_by(io, d);
	else
		issued_by_current(io);
	return true;
}
