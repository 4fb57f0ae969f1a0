/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fsync and its kin, and sync(2): who waits for which bytes, and what is durable when they end. */
#pragma once

#include "calls.h"
#include "core.h"
#include "follow.h"
#include "lib/core/emit.h"
#include "stored.h"

struct sync_call {
	__u64 mapping;
	__u64 nr;
};

/* Threads in fsync and its kin. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct sync_call);
} syncing SEC(".maps");

static __u32 n_syncing;

/* Of bytes [lo, hi). */
__noinline int begin_sync(__u64 mapping, __u64 lo, __u64 hi, __u32 nr)
{
	struct sync_call call = {.mapping = mapping, .nr = nr};
	__u32 tid = current_tid();
	struct follow_hop *h;

	if (!bpf_map_update_elem(&syncing, &tid, &call, BPF_NOEXIST))
		__sync_fetch_and_add(&n_syncing, 1);
	else if (bpf_map_update_elem(&syncing, &tid, &call, BPF_EXIST)) /* one whose end was missed */
		return 0;
	h = new_hop(HOP_SYNC_ENTER);
	if (!h)
		return 0;
	h->mapping = mapping;
	h->lo = lo;
	h->hi = hi;
	h->call = nr;
	emit_submit(h, sizeof(*h));
	return 0;
}

/* Of system call `nr`: the end of another one, before this one's was seen, tells nothing of it. */
__noinline int end_sync(__s64 ret, __u64 nr)
{
	__u32 tid = current_tid();
	struct sync_call *call = bpf_map_lookup_elem(&syncing, &tid);
	struct address_space *of;
	struct follow_hop *h;
	bool other;

	if (!call)
		return 0;
	of = (void *)call->mapping;
	other = call->nr != nr;
	if (!bpf_map_delete_elem(&syncing, &tid))
		__sync_fetch_and_add(&n_syncing, -1);
	if (other)
		return 0;
	h = new_hop(HOP_SYNC_LEAVE);
	if (!h)
		return 0;
	h->mapping = (__u64)of;
	h->lo = BPF_CORE_READ(of, host, i_size);
	h->flags = stored_where((__u64)BPF_CORE_READ(of, host));
	h->result = ret;
	emit_submit(h, sizeof(*h));
	return 0;
}

/* Of a file system, or all: what was dirty when the first came is durable when the second does. */
__noinline int emit_sync_fs(__u32 kind, __u32 dev, __u32 nr, __s64 result)
{
	struct follow_hop *h = new_hop(kind);

	if (!h)
		return 0;
	h->hi = FILE_END;
	h->dev = dev;
	h->call = nr;
	h->result = result;
	emit_submit(h, sizeof(*h));
	return 0;
}

/* The flusher is done with an inode. */
__noinline int emit_write_inode(__u64 address)
{
	struct inode *inode = (void *)address;
	__u32 stored = stored_where(address);
	struct follow_hop *h;

	if (!stored)
		return 0;
	h = new_hop(HOP_WRITE_INODE);
	if (!h)
		return 0;
	h->mapping = (__u64)BPF_CORE_READ(inode, i_mapping);
	h->hi = FILE_END;
	h->flags = stored;
	emit_submit(h, sizeof(*h));
	return 0;
}
