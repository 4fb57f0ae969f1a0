/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records to user space, and the count of what did not get there.
 *
 *	struct exec_event *e = emit_reserve(sizeof(*e));
 *	if (!e)
 *		return 0;	(already counted)
 *	...
 *	emit_submit(e, sizeof(*e));
 *
 * A wake-up costs more than a record, so none comes per record: user space is woken when the
 * unread bytes pass a multiple of 1 << emit_wake_shift, at most a few times per filled ring,
 * and reads the ring on a timer besides (Ring::kFlushNs, 100 ms: the latency of a lone record).
 *
 * Where a source is compiled with WITH_STACKS (lib/user/event_stack.h), the key of the stack stands before each record.
 */
#pragma once

#include "core.h"

#include <bpf/bpf_helpers.h>

#include "lib/core/loss.h"

#define EMIT_HEADER 8 /* the kernel's own header before each record */

/* Both are set before loading (run/session.cpp): a size for this machine, and eight wake-ups per filled ring. */
const volatile __u32 emit_wake_shift = 17;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOSS_MAX);
	__type(key, __u32);
	__type(value, __u64);
} losses SEC(".maps");

/* An atomic add, because a program may be interrupted on its CPU by another one. */
static __always_inline void add_loss(__u32 reason, __u64 n)
{
	__u64 *count = bpf_map_lookup_elem(&losses, &reason);

	if (count)
		__sync_fetch_and_add(count, n);
}

static __always_inline void count_loss(__u32 reason)
{
	add_loss(reason, 1);
}

#ifdef WITH_STACKS
__u64 event_stack(void);
#define EMIT_STACKS 1
#else
static __always_inline __u64 event_stack(void)
{
	return 0;
}
#define EMIT_STACKS 0
#endif

#define EMIT_STACK_BYTES (EMIT_STACKS * sizeof(__u64))
/* In front of a record that is built in other memory than the ring's. */
#define EMIT_ROOM __u64 emit_room[EMIT_STACKS]

/* size is a constant. The record holds stale bytes: fill every one. NULL is a counted loss. */
static __always_inline void *emit_reserve(const __u64 size)
{
	__u64 *record = bpf_ringbuf_reserve(&events, EMIT_STACK_BYTES + size, 0);

	if (!record)
		count_loss(LOSS_RING_FULL);
	else if (EMIT_STACKS)
		*record++ = event_stack();
	return record;
}

/* The same of an event with another stack than the current one: a key that event_stack() has given before; 0: none. */
static __always_inline void *emit_reserve_with(const __u64 size, __u64 stack)
{
	__u64 *record = bpf_ringbuf_reserve(&events, EMIT_STACK_BYTES + size, 0);

	if (!record)
		count_loss(LOSS_RING_FULL);
	else if (EMIT_STACKS)
		*record++ = stack;
	return record;
}

/* Flags for a record of `taken` bytes, with its header, of which the first `counted` are among the unread ones. */
static __always_inline __u64 emit_flags(__u64 taken, __u64 counted)
{
	__u64 before = bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) - counted;
	bool crossed = (before ^ (before + taken)) >> emit_wake_shift;

	return crossed ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static __always_inline __u64 emit_taken(__u64 size)
{
	return ((size + 7) & ~7ULL) + EMIT_HEADER + EMIT_STACK_BYTES;
}

/* size is the one that was reserved. */
static __always_inline void emit_submit(void *record, const __u64 size)
{
	bpf_ringbuf_submit(record - EMIT_STACK_BYTES, emit_flags(emit_taken(size), emit_taken(size)));
}

/*
 * A record of which only the first `size` of `most` bytes, not known before, are sent: it is built
 * in memory of its own (EMIT_SCRATCH, or behind EMIT_ROOM) and copied. A full ring is a counted loss.
 *
 * size is never above most, but the verifier wants to see it of the register that is passed.
 * Without the barrier clang 19 compares a part of the sum that size is, and adds the rest later.
 */
static __always_inline void emit_copy_with(void *record, __u64 size, const __u64 most, __u64 stack)
{
	__u64 flags = emit_flags(emit_taken(size), 0);

	if (EMIT_STACKS)
		*(__u64 *)(record -= EMIT_STACK_BYTES) = stack;
	barrier_var(size);
	if (size > most || bpf_ringbuf_output(&events, record, EMIT_STACK_BYTES + size, flags))
		count_loss(LOSS_RING_FULL);
}

static __always_inline void emit_copy(void *record, __u64 size, const __u64 most)
{
	emit_copy_with(record, size, most, event_stack());
}

/* A record of this type for each CPU, for one program: another one on the same CPU needs its own. */
#define EMIT_SCRATCH(name, record_type)                                                            \
	struct name##_scratch {                                                                    \
		EMIT_ROOM;                                                                         \
		record_type record;                                                                \
	};                                                                                         \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);                                           \
		__uint(max_entries, 1);                                                            \
		__type(key, __u32);                                                                \
		__type(value, struct name##_scratch);                                              \
	} name SEC(".maps")

/* Never NULL in fact; the verifier wants to see it tested. */
static __always_inline void *emit_scratch(void *scratch)
{
	__u32 zero = 0;
	void *room = bpf_map_lookup_elem(scratch, &zero);

	return room ? room + EMIT_STACK_BYTES : NULL;
}
