/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The first bytes of a request, of which user space makes its label: where a thread of the server reads them, in its own context, the
 * registers of its system call still say into which memory. No program at system calls is needed; of who reads in another way
 * (io_uring, splice, a 32-bit call) nothing is taken, nor where the memory cannot be read at once.
 */
#pragma once

#include "core.h"

#include <asm/unistd.h>

#include "compat.h"
#include "task.h"

#include "exchanges.h"
#include "lib/core/emit.h"
#include "query.h"
#include "servers.h"

const volatile __u32 labels; /* 0: none is wanted, and nothing is read; 2: with values */

EMIT_SCRATCH(words, struct query_words);

struct iovec_of_user { /* also at the beginning of a struct msghdr: msg_iov is its third word */
	__u64 base, length;
};

/* Where the current system call reads to, and how much it asks for; false if that is not known. Of several buffers the first. */
static __noinline bool user_buffer(struct iovec_of_user *buffer)
{
	__s32 call = current_call();
	__u64 regs = task_registers(), at;

	if (call < 0 || !regs)
		return false;
	at = syscall_arg(regs, 1);
	if (call == __NR_read || call == __NR_recvfrom) {
		buffer->base = at;
		buffer->length = syscall_arg(regs, 2);
		return true;
	}
	if (call == __NR_recvmsg && bpf_probe_read_user(&at, sizeof(at), (void *)(at + 16)))
		return false;
	if (call != __NR_recvmsg && call != __NR_readv)
		return false;
	return !bpf_probe_read_user(buffer, sizeof(*buffer), (void *)at);
}

/* Of the buffer, into the record: its first bytes, more of a batch of redis, whose commands are to be counted. */
static __always_inline bool take_words(struct query_words *w, __u64 most)
{
	struct iovec_of_user buffer = {};
	__u64 size;
	char first = 0;

	if (!user_buffer(&buffer) || bpf_probe_read_user(&first, sizeof(first), (void *)buffer.base))
		return false;
	size = first == '*' ? QUERY_BATCH : QUERY_WORDS;
	if (size > buffer.length)
		size = buffer.length;
	if (size > most)
		size = most;
	barrier_var(size);
	if (size > QUERY_BATCH)
		return false;
	w->size = size;
	return !bpf_probe_read_user(w->bytes, size, (void *)buffer.base);
}

static __always_inline __u32 label_flags(void)
{
	return QUERY_HAS_WORDS | (labels == 2 ? QUERY_VALUES : 0);
}

static __always_inline void emit_words(struct query_words *w)
{
	emit_copy(w, __builtin_offsetof(struct query_words, bytes) + w->size, sizeof(*w));
}

/*
 * The bytes of the request up to `hi` were read, of which `from` before. The buffer has all that this call has read, of which it may
 * have told before: it does so for each segment. False if they are not to be had.
 */
static __noinline bool emit_read_words(__u64 sk, const struct exchange *e, __u32 before, __u32 hi)
{
	struct query_words *w = emit_scratch(&words);

	if (!w || before - e->start >= QUERY_WORDS)
		return false;
	fill_query(&w->hop, QUERY_READ, sk, e->sample);
	w->hop.hi = hi;
	w->hop.flags = label_flags();
	w->from = before - e->start;
	w->n = hi - before;
	w->port = 0;
	if (!take_words(w, hi - e->start))
		return false;
	emit_words(w);
	return true;
}

/*
 * Of a request that is no sample: a statement that is prepared by name in PostgreSQL's protocol. Later requests have the name alone.
 * Its message begins with a P, a length below 64 KiB, and the name.
 */
static __noinline int emit_prepared(__u64 sk)
{
	struct query_words *w = emit_scratch(&words);

	if (!w || !take_words(w, QUERY_WORDS) || w->size < 8)
		return 0;
	if (w->bytes[0] != 'P' || w->bytes[1] || w->bytes[2] || !w->bytes[5])
		return 0;
	fill_query(&w->hop, QUERY_PREPARE, sk, 0);
	w->hop.flags = label_flags();
	w->from = w->n = 0;
	w->port = bpf_ntohs((__u16)BPF_CORE_READ((struct sock *)sk, __sk_common.skc_portpair));
	emit_words(w);
	return 0;
}
