/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Who woke a thread, who had woken that one, and so on. Each thread has a line with the wakers of its last sleep, by value: a
 * waker sleeps again before the thread that it woke has a CPU. They are copied to whom it wakes, as far as they woke each other
 * while that one slept: what was before did not make it wait. An interrupt of the kernel itself is not told from the task
 * that it interrupts.
 */
#pragma once

#include "offcputime.h"

#include "lib/core/start.h"
#include "lib/core/table.h"
#include "lib/user/stack.h"

const volatile __u32 chain_depth;

TABLE(chains, struct chain_key, struct off_count, 1); /* CHAINS, with --chain */

struct chain {
	struct chain_key key;
	__u64 woken_ns[CHAIN_WAKERS];
	__u64 tid; /* the kernel's */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* CHAIN_LINES, with --chain */
	__type(key, __u32);
	__type(value, struct chain);
} chain_lines SEC(".maps");

_Static_assert(CHAIN_LINES == START_LINES, "each thread that has a line has one here");

static __always_inline struct chain *chain_of(__u32 tid)
{
	__u32 line = START_LINE(tid);

	return bpf_map_lookup_elem(&chain_lines, &line);
}

/* The thread goes to sleep. */
static __always_inline void chain_begin(__u32 tid)
{
	struct chain *chain = chain_of(tid);

	if (!chain)
		return;
	chain->tid = tid;
	chain->key.wakers = 0;
	chain->key.cut = 0;
	__builtin_memset(chain->key.waker, 0, sizeof(chain->key.waker));
}

/* Behind its first waker, `waker`, come the wakers of that one since then. */
__noinline int chain_join(__u32 tid, __u32 waker, __u64 since_ns)
{
	struct chain *to = chain_of(tid), *from = chain_of(waker);
	__u32 i;

	if (!to || !from || from->tid != waker)
		return 0;
	for (i = 0; i < CHAIN_WAKERS && i < from->key.wakers && from->woken_ns[i] > since_ns; i++) {
		if (i + 1 >= CHAIN_WAKERS || i + 1 >= chain_depth) {
			to->key.cut = 1;
			break;
		}
		to->key.waker[i + 1] = from->key.waker[i];
		to->woken_ns[i + 1] = from->woken_ns[i];
		to->key.wakers = i + 2;
	}
	return 0;
}

/* The current task wakes the thread, which has slept since then. */
static __always_inline void chain_wake(tp_ctx *ctx, __u32 tid, __u64 since_ns, __u64 now)
{
	struct chain *chain = chain_of(tid);

	if (!chain || chain->tid != tid)
		return;
	bpf_get_current_comm(chain->key.waker[0].comm, sizeof(chain->key.waker[0].comm));
	chain->key.waker[0].user_stack = stack_take_user();
	chain->key.waker[0].kernel_stack = stack_take_kernel(ctx);
	chain->woken_ns[0] = now;
	chain->key.wakers = 1;
	if (stack_in_system_call()) /* what interrupted its program has nothing to do with it, and with who woke it */
		chain_join(tid, bpf_get_current_pid_tgid(), since_ns);
}
