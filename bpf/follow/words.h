/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The first bytes of a request, of which user space makes its label: where a thread of the server reads them, in its own context, the
 * registers of its system call still say into which memory; and out of which, where a client's thread sends them. No program at
 * system calls is needed; of who does so in another way (io_uring, splice, a 32-bit call) nothing is taken, nor where the memory cannot
 * be read at once.
 */
#pragma once

#include "core.h"

#include <asm/unistd.h>

#include "compat.h"
#include "task.h"

#include "exchanges.h"
#include "lib/core/emit.h"
#include "query.h"
#include "root.h"
#include "servers.h"

const volatile __u32 labels; /* 0: none is wanted, and nothing is read; 2: with values */

EMIT_SCRATCH(words, struct query_words);

struct iovec_of_user { /* also within a struct msghdr: msg_iov is its third word, the number of those the fourth */
	__u64 base, length;
};

#define MOST_BUFFERS 8 /* of one call */

/* The current system call's memory: the first of its buffers, and how much all of them have. */
struct user_buffer {
	struct iovec_of_user first;
	__u64 total;
};

/* Of those that are looked at: which send, or which read. */
static __always_inline bool is_plain_call(__s32 call, bool sends)
{
	return sends ? call == __NR_write || call == __NR_sendto : call == __NR_read || call == __NR_recvfrom;
}

static __always_inline bool is_message_call(__s32 call, bool sends)
{
	return call == (sends ? __NR_sendmsg : __NR_recvmsg);
}

static __always_inline bool is_vector_call(__s32 call, bool sends)
{
	return call == (sends ? __NR_writev : __NR_readv);
}

/* The bytes of the buffers at `at`; of more than are looked at too few. */
static __always_inline __u64 sum_of_buffers(__u64 at, __u64 n)
{
	struct iovec_of_user one;
	__u64 total = 0;
	int i;

	for (i = 0; i < MOST_BUFFERS; i++) {
		if (i >= n || bpf_probe_read_user(&one, sizeof(one), (void *)(at + i * sizeof(one))))
			break;
		total += one.length;
	}
	return total;
}

/* False if it is not known, or if the call does the other of both. */
static __noinline bool find_user_buffer(struct user_buffer *buffer, bool sends)
{
	__s32 call = current_call();
	__u64 regs = task_registers(), vector[2];

	if (call < 0 || !regs)
		return false;
	vector[0] = syscall_arg(regs, 1);
	vector[1] = syscall_arg(regs, 2);
	if (is_plain_call(call, sends)) {
		buffer->first.base = vector[0];
		buffer->first.length = buffer->total = vector[1];
		return true;
	}
	if (is_message_call(call, sends)) {
		if (bpf_probe_read_user(vector, sizeof(vector), (void *)(vector[0] + 16)))
			return false;
	} else if (!is_vector_call(call, sends)) {
		return false;
	}
	if (bpf_probe_read_user(&buffer->first, sizeof(buffer->first), (void *)vector[0]))
		return false;
	if (sends)
		buffer->total = sum_of_buffers(vector[0], vector[1]);
	return true;
}

static __always_inline bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* How much of a request is taken that begins with this: of PostgreSQL's messages the second byte is 0. */
static __always_inline __u64 size_of_words(const char begin[2])
{
	return begin[0] == '*' || (is_upper(begin[0]) && is_upper(begin[1])) ? QUERY_MOST_WORDS : QUERY_WORDS;
}

/*
 * Of the buffer, into the record: its first bytes. What is sent may have been written by an earlier call in part: unless it is as
 * much as this one writes, which is not told (0: whatever it is).
 */
static __always_inline bool take_words(struct query_words *w, __u64 sent, __u64 most)
{
	struct user_buffer buffer = {};
	__u64 size;
	char begin[2] = {};

	if (!find_user_buffer(&buffer, from_client) || bpf_probe_read_user(&begin[0], 1, (void *)buffer.first.base))
		return false;
	if (sent && buffer.total != sent)
		return false;
	if (is_upper(begin[0]) && buffer.first.length > 1)
		bpf_probe_read_user(&begin[1], 1, (void *)(buffer.first.base + 1));
	size = size_of_words(begin);
	if (size > buffer.first.length)
		size = buffer.first.length;
	if (size > most)
		size = most;
	barrier_var(size);
	if (size > QUERY_MOST_WORDS)
		return false;
	w->size = size;
	return !bpf_probe_read_user(w->bytes, size, (void *)buffer.first.base);
}

static __always_inline __u32 label_flags(void)
{
	return QUERY_HAS_WORDS | (labels == 2 ? QUERY_VALUES : 0);
}

static __always_inline void emit_words(struct query_words *w)
{
	emit_copy(w, __builtin_offsetof(struct query_words, bytes) + w->size, sizeof(*w));
}

/* Who the client is, among those of one socket's address: by its port, or its process. */
static __always_inline __u32 port_of_client(__u64 sk)
{
	__u32 both = BPF_CORE_READ((struct sock *)sk, __sk_common.skc_portpair);

	return from_client ? both >> 16 : bpf_ntohs((__u16)both);
}

static __always_inline __u32 unix_client(__u64 sk)
{
	return BPF_CORE_READ((struct sock *)sk, sk_peer_pid, numbers[0].nr);
}

static __always_inline __u32 client_of(__u64 sk)
{
	return root_inode ? unix_client(sk) : port_of_client(sk);
}

/* ---- statements that are prepared: later requests have the name alone, or the number */

static bool has_numbers; /* one of MySQL was prepared: else nobody looks for an answer */

/*
 * The sockets on which a request prepares a statement of MySQL that is not answered yet, and when that was told of; 0: several, and an
 * answer may be any one's.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, __u64);
} preparing SEC(".maps");

#define MYSQL_PREPARE 0x16
#define ANSWER_WORDS 9 /* of MySQL: a header of 4, the status, and the number */

/* By name, in PostgreSQL's protocol: a P, a length below 64 KiB, and the name. */
static __always_inline bool prepares_by_name(const struct query_words *w)
{
	return w->size >= 8 && w->bytes[0] == 'P' && !w->bytes[1] && !w->bytes[2] && w->bytes[5];
}

/* A record of TLS, whose version is 3; or a message of PostgreSQL that asks, and is shorter than 256 bytes. */
static __always_inline bool is_of_others(const char *bytes)
{
	if (bytes[1] == 3)
		return (bytes[0] & 0xfc) == 0x14;
	return !bytes[1] && !bytes[2] && (bytes[0] == 'Q' || bytes[0] == 'P' || bytes[0] == 'B');
}

/* In MySQL's: after a header of 4 bytes, which a server reads apart. */
static __always_inline bool prepares_by_number(const struct query_words *w)
{
	if (w->size < 6 || is_of_others(w->bytes))
		return false;
	return w->bytes[0] == MYSQL_PREPARE || (!w->bytes[3] && w->bytes[4] == MYSQL_PREPARE);
}

/* True if it prepares what the answer numbers. `w` is the record that tells of it. */
static __always_inline bool await_number(__u64 sk, const struct query_words *w)
{
	__u64 when = w->hop.ts_ns;

	if (!prepares_by_number(w))
		return false;
	if (!has_numbers)
		has_numbers = true;
	if (bpf_map_lookup_elem(&preparing, &sk))
		when = 0;
	bpf_map_update_elem(&preparing, &sk, &when, BPF_ANY);
	return true;
}

static __always_inline void fill_words(struct query_words *w, __u32 kind, __u64 sk)
{
	fill_query(&w->hop, kind, sk, 0);
	w->hop.flags = label_flags();
	w->from = w->n = 0;
	w->port = client_of(sk);
}

/* Of a request that is no sample: the statement that it prepares, if it does. */
static __noinline int emit_prepared(__u64 sk, __u32 most)
{
	struct query_words *w = emit_scratch(&words);

	if (!w || !take_words(w, 0, most < QUERY_WORDS ? most : QUERY_WORDS))
		return 0;
	if (!prepares_by_name(w) && !prepares_by_number(w))
		return 0;
	fill_words(w, QUERY_PREPARE, sk);
	await_number(sk, w);
	emit_words(w);
	return 0;
}

/*
 * An answer is sent, or, from the client's side, was read: with the number of what was prepared, whoever did so. hop.out_ns is the time
 * of the record that told of that.
 */
static __noinline int emit_number(__u64 sk)
{
	struct query_words *w = emit_scratch(&words);
	struct user_buffer buffer = {};
	__u64 *found, when;

	if (!w)
		return 0;
	found = bpf_map_lookup_elem(&preparing, &sk);
	if (!found || !find_user_buffer(&buffer, !from_client))
		return 0;
	when = *found;
	bpf_map_delete_elem(&preparing, &sk);
	w->size = ANSWER_WORDS;
	if (!when || buffer.first.length < ANSWER_WORDS ||
	    bpf_probe_read_user(w->bytes, ANSWER_WORDS, (void *)buffer.first.base))
		return 0;
	fill_words(w, QUERY_PREPARED, sk);
	w->hop.out_ns = when;
	emit_words(w);
	return 0;
}

static __always_inline void pass_answer(__u64 sk)
{
	if (labels && has_numbers)
		emit_number(sk);
}

/* ---- requests that are samples */

/*
 * The bytes of the request up to `hi` were read, or sent, and those up to `before` had been. The buffer has all that this call has read,
 * of which it may have told before: it does so for each segment. False if they are not to be had.
 */
static __noinline bool emit_request_words(__u32 kind, __u64 sk, const struct exchange *e, __u32 before, __u32 hi)
{
	struct query_words *w = emit_scratch(&words);

	if (!w || before - e->start >= QUERY_WORDS)
		return false;
	fill_query(&w->hop, kind, sk, e->sample);
	w->hop.hi = hi;
	w->hop.flags = label_flags();
	w->from = before - e->start;
	w->n = hi - before;
	w->port = client_of(sk);
	if (!take_words(w, from_client ? w->n : 0, root_inode ? w->n : hi - e->start))
		return false;
	await_number(sk, w);
	emit_words(w);
	return true;
}
