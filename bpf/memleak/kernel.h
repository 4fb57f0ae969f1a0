/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Memory of the kernel that is not freed: objects of the slab allocator; or pages, of which slabs are made, too, so that it is
 * either. Nothing belongs to a process, whoever frees it: it is kept with the thread that was running when it was allocated.
 */
#pragma once

#include "compat_memory.h"
#include "memleak.h"

#include "lib/core/filter.h"
#include "lib/user/stack.h"
#include "wanted.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u64); /* address, of a page that of its struct page */
	__type(value, struct kernel_block);
} kernel_blocks SEC(".maps");

static __always_inline int keep_kernel_block(void *ctx, __u64 address, __u64 bytes)
{
	struct kernel_block block = {.bytes = bytes};

	if (!address || !filter_passes() || !is_wanted(bytes))
		return 0;
	block.ts_ns = bpf_ktime_get_ns();
	block.stack = stack_take_kernel(ctx);
	block.tgid = filter_pid_tgid() >> 32;
	bpf_get_current_comm(block.comm, sizeof(block.comm));
	if (bpf_map_update_elem(&kernel_blocks, &address, &block, BPF_ANY))
		count_loss(LOSS_BLOCK);
	return 0;
}

static __always_inline int forget_kernel_block(__u64 address)
{
	bpf_map_delete_elem(&kernel_blocks, &address);
	return 0;
}

/* Not typed: 5.10 does not let a typed program read a pointer to const void. */
#define KERNEL_MEMORY(name, args...) SEC("raw_tp/" #name) int BPF_PROG(name##__raw, ##args)

KERNEL_MEMORY(kmalloc, unsigned long caller, void *object, unsigned long wanted, unsigned long bytes)
{
	return keep_kernel_block(ctx, (__u64)object, bytes);
}

/* Up to 6.0. */
KERNEL_MEMORY(kmalloc_node, unsigned long caller, void *object, unsigned long wanted, unsigned long bytes)
{
	return keep_kernel_block(ctx, (__u64)object, bytes);
}

KERNEL_MEMORY(kmem_cache_alloc, unsigned long caller, void *object, struct kmem_cache *cache, unsigned long bytes)
{
	return keep_kernel_block(ctx, (__u64)object, cache_tells_bytes() ? BPF_CORE_READ(cache, size) : bytes);
}

KERNEL_MEMORY(kmem_cache_alloc_node, unsigned long caller, void *object, unsigned long wanted, unsigned long bytes)
{
	return keep_kernel_block(ctx, (__u64)object, bytes);
}

KERNEL_MEMORY(kfree, unsigned long caller, void *object)
{
	return forget_kernel_block((__u64)object);
}

KERNEL_MEMORY(kmem_cache_free, unsigned long caller, void *object)
{
	return forget_kernel_block((__u64)object);
}

KERNEL_MEMORY(mm_page_alloc, struct page *page, unsigned int order)
{
	return keep_kernel_block(ctx, (__u64)page, 1ULL << page_shift << order);
}

KERNEL_MEMORY(mm_page_free, struct page *page)
{
	return forget_kernel_block((__u64)page);
}
