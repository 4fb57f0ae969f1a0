/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A system call that waits for a futex, from its registers; and what it waits for, as far as that can be known. */
#pragma once

#include "compat.h"
#include "task.h"

#include "lib/core/tracepoint.h"
#include "wanted.h"

/* Operations of futex(2), without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME. */
#define FUTEX_COMMAND(op) ((op) & ~(128 | 256))
#define FUTEX_WAIT 0
#define FUTEX_WAKE 1
#define FUTEX_LOCK_PI 6
#define FUTEX_WAIT_BITSET 9
#define FUTEX_WAKE_BITSET 10
#define FUTEX_WAIT_REQUEUE_PI 11
#define FUTEX_LOCK_PI2 13
#define FUTEX_TID_MASK 0x3fffffff

#if defined(__TARGET_ARCH_x86)
#define NR_FUTEX 202
#define NR_RESTART 219
#else
#define NR_FUTEX 98
#define NR_RESTART 128
#endif
#define NR_FUTEX_32 240
#define NR_FUTEX_TIME64_32 422
#define NR_FUTEX_WAITV 449 /* 5.16; these and the next ones are the same for 32-bit programs */
#define NR_FUTEX_WAKE 454 /* 6.7 */
#define NR_FUTEX_WAIT 455
#define NR_FUTEX_REQUEUE 456

enum futex_kind {
	FUTEX_NONE,
	FUTEX_OLD,     /* (futex, operation, value, timeout, ...) */
	FUTEX_WAITV,   /* (futexes, their number, flags, timeout, clock) */
	FUTEX_NEW,     /* (futex, value, mask, flags, timeout, clock) */
	FUTEX_WAKES,   /* or moves waiters, without waiting */
	FUTEX_RESTART, /* goes on with the call that a stop interrupted */
};

static __always_inline enum futex_kind futex_kind(__u32 nr)
{
	switch (nr) {
	case NR_FUTEX_WAITV:
		return FUTEX_WAITV;
	case NR_FUTEX_WAIT:
		return FUTEX_NEW;
	case NR_FUTEX_WAKE:
	case NR_FUTEX_REQUEUE:
		return FUTEX_WAKES;
	case NR_FUTEX:
		return is_compat_syscall() ? FUTEX_NONE : FUTEX_OLD;
	case NR_RESTART:
		return is_compat_syscall() ? FUTEX_NONE : FUTEX_RESTART;
	case NR_FUTEX_32:
	case NR_FUTEX_TIME64_32:
		return is_compat_syscall() ? FUTEX_OLD : FUTEX_NONE;
	}
	return FUTEX_NONE;
}

static __always_inline __u32 futex_type(__u32 value, bool timed)
{
	if (value == 2)
		return LOCK_MUTEX;
	if (value == 3)
		return LOCK_RWLOCK;
	return timed ? LOCK_TIMED : LOCK_WAIT;
}

/* glibc's pthread_mutex_t from its futex on. */
struct glibc_mutex {
	__u32 lock, count, owner, users, kind;
};

/* Another library's mutex has something else there, which is taken for an owner only if all of it may be glibc's. */
static __always_inline void futex_read_libc_owner(struct wanted *w, __u32 self)
{
	struct glibc_mutex mutex;

	if (bpf_probe_read_user(&mutex, sizeof(mutex), (void *)w->lock) || mutex.lock != 2)
		return;
	if (!mutex.owner || mutex.owner > 4194304 || mutex.owner == self || !mutex.users || mutex.kind >= 1024)
		return;
	w->owner_tid = mutex.owner;
	w->owner_source = OWNER_LIBC;
}

static __always_inline void futex_read_word_owner(struct wanted *w)
{
	__u32 word;

	if (bpf_probe_read_user(&word, sizeof(word), (void *)w->lock) || !(word & FUTEX_TID_MASK))
		return;
	w->owner_tid = word & FUTEX_TID_MASK;
	w->owner_source = OWNER_WORD;
}

/* Of a call that releases a mutex; 0: it does something else. */
static __always_inline __u64 futex_released(enum futex_kind kind, __u32 nr, __u64 regs)
{
	const bool narrow = is_compat_syscall();
	__u32 operation = FUTEX_COMMAND((__u32)(narrow ? compat_syscall_arg(regs, 1) : syscall_arg(regs, 1)));

	if (kind == FUTEX_OLD ? operation != FUTEX_WAKE && operation != FUTEX_WAKE_BITSET : nr != NR_FUTEX_WAKE)
		return 0;
	return narrow ? compat_syscall_arg(regs, 0) : syscall_arg(regs, 0);
}

/* False: it does not wait. */
static __always_inline bool futex_wait_read(struct wanted *w, enum futex_kind kind, __u64 regs)
{
	const bool narrow = is_compat_syscall();
	__u64 a = narrow ? compat_syscall_arg(regs, 0) : syscall_arg(regs, 0);
	__u64 b = narrow ? compat_syscall_arg(regs, 1) : syscall_arg(regs, 1);
	__u64 d = narrow ? compat_syscall_arg(regs, 2) : syscall_arg(regs, 2);
	__u64 e = narrow ? compat_syscall_arg(regs, 3) : syscall_arg(regs, 3);
	__u64 f = narrow ? compat_syscall_arg(regs, 4) : syscall_arg(regs, 4);

	__builtin_memset(w, 0, sizeof(*w));
	w->lock = a;
	if (kind == FUTEX_WAITV) {
		w->type = LOCK_WAITV;
		bpf_probe_read_user(&w->lock, sizeof(w->lock), (void *)(a + 8)); /* of the first one, behind its value */
		return true;
	}
	if (kind == FUTEX_NEW) {
		w->type = futex_type(b, f);
		return true;
	}
	switch (FUTEX_COMMAND((__u32)b)) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		w->type = futex_type(d, e);
		return true;
	case FUTEX_WAIT_REQUEUE_PI:
		w->type = e ? LOCK_TIMED : LOCK_WAIT;
		return true;
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		w->type = LOCK_PI;
		return true;
	}
	return false;
}
