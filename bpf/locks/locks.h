/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What locks counts: waits for a lock, by what --by says; or waits by their length. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/user/stack_wire.h"

enum locks_by { LOCKS_BY_STACK, LOCKS_BY_LOCK, LOCKS_BY_THREAD }; /* as --by has them */

enum lock_type { /* of a futex, by its operation and the value that is waited for; from LOCK_KERNEL on of the kernel */
	LOCK_MUTEX,  /* 2: locked, others wait; so in glibc, Go and Rust */
	LOCK_RWLOCK, /* 3: a side of glibc's rwlock, others wait */
	LOCK_PI,     /* the kernel hands it over, and knows its owner */
	LOCK_WAIT,   /* for another value, as of a condition variable */
	LOCK_TIMED,  /* the same, no longer than some time */
	LOCK_WAITV,  /* for one of several */
	LOCK_KERNEL,
	LOCK_KERNEL_MUTEX = LOCK_KERNEL,
	LOCK_KERNEL_RWSEM_READ,
	LOCK_KERNEL_RWSEM_WRITE,
	LOCK_KERNEL_SPIN,
	LOCK_KERNEL_RWLOCK_READ,
	LOCK_KERNEL_RWLOCK_WRITE,
	LOCK_KERNEL_RT,
	LOCK_KERNEL_PERCPU,
	LOCK_KERNEL_SEMAPHORE,
	LOCK_TYPES,
};

enum wait_result {
	WAIT_WOKEN, /* or it has the lock */
	WAIT_TIMEOUT,
	WAIT_SIGNAL, /* interrupted: by a handler, a stop or the end of the thread */
	WAIT_UNFINISHED, /* when the run ended */
	WAIT_RESULTS,
};

enum owner_source { /* how the owner is known */
	OWNER_UNKNOWN,
	OWNER_WAKER, /* it made an end of the wait */
	OWNER_WORD,  /* the lock said so when the wait began */
	OWNER_LIBC,  /* glibc notes it beside the futex; another library may have something else there */
};

struct lock_key {
	__u64 user_stack, kernel_stack, owner_user_stack, owner_kernel_stack; /* keys of `stacks`; 0: none, or it found no room */
	__u64 futex; /* its address; 0: a lock of the kernel, with this one */
	__u64 kernel_lock;
	__u32 tgid; /* 0: of a lock of the kernel, and by lock */
	__u32 tid;  /* 0: not by thread */
	__u32 type; /* enum lock_type */
	__u32 result; /* enum wait_result */
	__u32 owner_tgid; /* 0: not known */
	__u32 owner_tid;  /* the same; or of the waker, and not by thread */
	__u32 owner_source; /* enum owner_source */
	__u32 zero;
	char comm[16]; /* of the thread */
	char owner_comm[16]; /* empty: not known */
};

struct lock_count {
	__u64 wait_ns;
	__u64 count;
	__u64 held_ns; /* by owners who made an end of waits, of which that is known */
	__u64 holds; /* of how many */
};

struct lock_entry {
	__u64 from_ns, to_ns;
	struct lock_count value;
	struct lock_key key;
};

struct lock_slot_key {
	__u32 slot; /* of ns */
};

struct lock_slot_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct lock_slot_key key;
	__u32 zero;
};

#ifdef __cplusplus
static_assert(sizeof(lock_entry) == 160 && sizeof(lock_slot_entry) == 48);
#endif
