/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Does a thread that leaves its CPU in a page fault wait for swap space? PSI says so on 5.10; on 6.1 and later only of pages that were
 * evicted not long ago. Who has called the scheduler says it of all: where do_swap_page() is among them, whose name the kernel itself
 * tells (5.13). That is some names for a wait for a disk. Rejected: the function's address by kallsyms, which take 40 ms of each start.
 */
#pragma once

#include "core.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define SWAP_FRAMES 20
#define SWAP_SKIPPED 4 /* the program itself, and the scheduler */

static const char swap_format[] = "%ps", swap_function[] = "do_swap_page";

static __always_inline bool is_swap_function(const char name[16])
{
	__u32 i;

	for (i = 0; i < sizeof(swap_function) - 1; i++) /* what may follow is a compiler's: .cold, .isra.0 */
		if (name[i] != swap_function[i])
			return false;
	return true;
}

static __noinline bool waits_for_swap(tp_ctx *ctx)
{
	__u64 frames[SWAP_FRAMES] = {};
	char name[16] = {};
	long bytes;
	int i;

	if (!bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_snprintf))
		return false;
	bytes = bpf_get_stack(ctx, frames, sizeof(frames), SWAP_SKIPPED);
	for (i = 0; i < SWAP_FRAMES; i++) {
		if (bytes < (long)((i + 1) * sizeof(*frames)))
			break;
		if (bpf_snprintf(name, sizeof(name), swap_format, &frames[i], sizeof(*frames)) > 0 && is_swap_function(name))
			return true;
	}
	return false;
}
