/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stacks by value, under a hash as their key, and the one that is being walked (lib/user/stack.h). */
#pragma once

#include "core.h"

#include "lib/core/emit.h"
#include "lib/core/table.h"
#include "lib/user/stack_wire.h"

const volatile __u64 stack_seed; /* of the hash, so that nobody can choose stacks that have the same */

TABLE(stacks, __u64, struct stack, 16384);

#if defined(__TARGET_ARCH_x86)
#define STACK_LINKED 0
#else
#define STACK_LINKED 1 /* a call leaves the return address in a register, and not on the stack */
#endif

#define STACK_MEMORY_WORDS 64
#define STACK_WINDOW_WORDS 256

struct stack_memory { /* lib/user/stack_memory.h */
	__u64 ip, sp, fp, link; /* where it began */
	__u64 key; /* of its stack */
	__u32 process;
	__u32 misses; /* that followed */
	__u32 bytes; /* from sp on, that the words lie in */
	__u32 words;
	__u64 word[STACK_MEMORY_WORDS];
	__u8 at[STACK_MEMORY_WORDS]; /* 8 bytes each, from sp on */
};

struct stack_walk {
	__u64 ip, sp, fp, link; /* link: if STACK_LINKED, the return address of a function that has not saved it, or 0 */
	__u64 address; /* ip as its file says it */
	__u64 frame; /* what is kept of ip */
	__u64 guess; /* STACK_GUESS if ip is one */
	__u32 page; /* of the address */
	__u32 tables; /* its file has some */
	__u32 first, mappings; /* of the process */
	__u32 called; /* ip is behind a call, and not where a thread was interrupted */
	__u32 tgid;
	__u32 keeps_words; /* that it reads of the stack */
	__u64 recalled; /* the key of its stack, if it need not be walked */
	__u64 users; /* at the same time, of which one has it */
	struct stack stack;
	struct stack_memory memory;
	__u64 window[STACK_WINDOW_WORDS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stack_walk);
} stack_walks SEC(".maps");

static __always_inline struct stack_walk *stack_walk(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&stack_walks, &zero);
}

/*
 * For one program at a time. Another one may interrupt it on its CPU, or get that CPU where programs are preemptible (uprobes;
 * tracepoints since 7.0). Of two that come at the same time neither may have it. NULL: a counted loss.
 */
static __always_inline struct stack_walk *stack_try_reserve(void)
{
	struct stack_walk *walk = stack_walk();

	if (!walk)
		return NULL;
	__sync_fetch_and_add(&walk->users, 1);
	if (*(volatile __u64 *)&walk->users == 1)
		return walk;
	__sync_fetch_and_add(&walk->users, -1);
	count_loss(LOSS_STACK);
	return NULL;
}

static __always_inline __u64 stack_release(struct stack_walk *walk, __u64 key)
{
	__sync_fetch_and_add(&walk->users, -1);
	return key;
}

#define STACK_PRIME 0x9e3779b97f4a7c15ULL

/* Of all that makes the stack in stack_walks another one. */
__noinline __u64 stack_hash(void)
{
	struct stack_walk *walk = stack_walk();
	__u64 hash = stack_seed;
	int i;

	if (!walk)
		return 0;
	hash = (hash ^ walk->stack.process) * STACK_PRIME;
	hash = (hash ^ walk->stack.end) * STACK_PRIME;
	for (i = 0; i < STACK_USER_FRAMES && i < walk->stack.user_frames; i++)
		hash = ((hash ^ hash >> 32) ^ walk->stack.user[i]) * STACK_PRIME;
	hash = (hash ^ walk->stack.user_frames) * STACK_PRIME;
	for (i = 0; i < STACK_KERNEL_FRAMES && i < walk->stack.kernel_frames; i++)
		hash = ((hash ^ hash >> 32) ^ walk->stack.kernel[i]) * STACK_PRIME;
	return hash ^ hash >> 32;
}

/* Is the stack that has this key the one in stack_walks? */
__noinline int stack_is(__u64 key)
{
	struct stack *known = bpf_map_lookup_elem(&stacks, &key);
	struct stack_walk *walk = stack_walk();
	__u64 differences;
	int i;

	if (!known || !walk)
		return 0;
	differences = (known->process ^ walk->stack.process) | (known->end ^ walk->stack.end) |
		      (known->user_frames ^ walk->stack.user_frames) |
		      (known->kernel_frames ^ walk->stack.kernel_frames);
	for (i = 0; i < STACK_USER_FRAMES && i < walk->stack.user_frames; i++)
		differences |= known->user[i] ^ walk->stack.user[i];
	for (i = 0; i < STACK_KERNEL_FRAMES && i < walk->stack.kernel_frames; i++)
		differences |= known->kernel[i] ^ walk->stack.kernel[i];
	return !differences;
}

/*
 * The key of the stack in `stacks`, where it is kept by value: of two stacks that have the same hash, the second one is a
 * counted loss, and never taken for the first. 0: a loss.
 */
static __always_inline __u64 stack_keep(struct stack_walk *walk)
{
	__u64 key = stack_hash() ?: 1;

	if (stack_is(key))
		return key;
	bpf_map_update_elem(&stacks, &key, &walk->stack, BPF_NOEXIST);
	if (stack_is(key))
		return key;
	count_loss(LOSS_STACK);
	return 0;
}
