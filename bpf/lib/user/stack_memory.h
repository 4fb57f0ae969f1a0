/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The last walk of each thread from each of its system calls. What a walk by the tables of known mappings finds depends on
 * three registers, on arm64 four, and on the words that it reads of the stack, and on nothing else: a thread that comes back with the
 * same ones has the same stack, and one read tells. A call of which that is rarely true pays little for it; one that is
 * interrupted elsewhere than in a system call is hardly ever so again.
 */
#pragma once

#include "lib/user/stack_keep.h"

#define STACK_MISSES 16 /* so many one after the other, and only each such one is remembered */

const volatile bool stack_remembers;
const volatile bool stack_walks_twice; /* for a test: what is remembered is walked as well, and compared */

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH); /* who does not come back is not waited for */
	__uint(max_entries, 1); /* more, for a tool that remembers */
	__type(key, __u64); /* the kernel's tid, and something of ip and sp */
	__type(value, struct stack_memory);
} stack_memories SEC(".maps");

static __always_inline __u64 stack_memory_id(__u64 ip, __u64 sp)
{
	return (ip ^ sp * STACK_PRIME) >> 32 << 32 | (__u32)bpf_get_current_pid_tgid();
}

/* Begins to keep the words that are read, or not. */
static __always_inline void stack_begin_words(struct stack_walk *walk, const struct stack_memory *last)
{
	__u32 misses = last ? last->misses : 0;

	walk->keeps_words = misses < STACK_MISSES || misses % STACK_MISSES == 0;
	walk->memory.ip = walk->ip;
	walk->memory.sp = walk->sp;
	walk->memory.fp = walk->fp;
	if (STACK_LINKED)
		walk->memory.link = walk->link;
	walk->memory.process = walk->stack.process;
	walk->memory.misses = misses;
	walk->memory.bytes = 0;
	walk->memory.words = 0;
}

static __always_inline __u64 stack_begin_differs(const struct stack_walk *walk, const struct stack_memory *last)
{
	__u64 differences = (last->ip ^ walk->ip) | (last->sp ^ walk->sp) | (last->fp ^ walk->fp) |
			    (last->process ^ walk->stack.process);

	return STACK_LINKED ? differences | (last->link ^ walk->link) : differences;
}

/* The walk begins as the last one did, and would read the same. The key of its stack, or 0. */
__noinline __u64 stack_recall(void)
{
	struct stack_walk *walk = stack_walk();
	struct stack_memory *last;
	__u64 differences, key;
	__u32 bytes, i;

	if (!walk)
		return 0;
	key = stack_memory_id(walk->ip, walk->sp);
	last = bpf_map_lookup_elem(&stack_memories, &key);
	if (!last)
		goto missed;
	differences = stack_begin_differs(walk, last);
	bytes = last->bytes;
	if (differences || bytes > sizeof(walk->window) || bpf_probe_read_user(walk->window, bytes, (void *)walk->sp)) {
		last->misses++;
		goto missed;
	}
	for (i = 0; i < STACK_MEMORY_WORDS && i < last->words; i++)
		differences |= walk->window[last->at[i]] ^ last->word[i];
	key = last->key;
	barrier();
	differences |= stack_begin_differs(walk, last); /* another one may have got its place meanwhile */
	if (!differences && bpf_map_lookup_elem(&stacks, &key)) {
		last->misses = 0;
		return key;
	}
	last->misses++;
missed:
	stack_begin_words(walk, last);
	return 0;
}

/* The walk depends on something else. */
static __always_inline void stack_forget(struct stack_walk *walk)
{
	walk->keeps_words = 0;
}

/* A word of the stack that the walk has read. */
__noinline int stack_keep_word(__u64 from, __u64 word)
{
	struct stack_walk *walk = stack_walk();
	__u64 at;
	__u32 n;

	if (!walk || !walk->keeps_words)
		return 0;
	at = from - walk->memory.sp;
	n = walk->memory.words;
	asm volatile("" : "+r"(n));
	if (at & 7 || at >= sizeof(walk->window) || n >= STACK_MEMORY_WORDS) {
		stack_forget(walk);
		return 0;
	}
	walk->memory.at[n] = at / 8;
	walk->memory.word[n] = word;
	walk->memory.words = n + 1;
	if (at + 8 > walk->memory.bytes)
		walk->memory.bytes = at + 8;
	return 0;
}

/* False: it cannot be read. */
static __always_inline bool stack_load(__u64 *to, __u64 from)
{
	if (bpf_probe_read_user(to, sizeof(*to), (void *)from))
		return false;
	if (stack_remembers)
		stack_keep_word(from, *to);
	return true;
}

/* The walk has come to its end, and its stack has this key. */
static __always_inline void stack_remember(struct stack_walk *walk, __u64 key)
{
	__u64 id = stack_memory_id(walk->memory.ip, walk->memory.sp);

	if (!walk->keeps_words || !key || walk->stack.end != STACK_WHOLE)
		return;
	walk->memory.key = key;
	bpf_map_update_elem(&stack_memories, &id, &walk->memory, BPF_ANY);
}
