/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A lock of the kernel, as the tracepoint contention_begin has it. */
#pragma once

#include "fs.h"
#include "lock.h"

#include "lib/core/filter_task.h"
#include "wanted.h"

static __always_inline __u32 kernel_lock_type(__u32 flags)
{
	if (flags & LCB_F_MUTEX)
		return LOCK_KERNEL_MUTEX;
	if (flags & LCB_F_RT)
		return LOCK_KERNEL_RT;
	if (flags & LCB_F_PERCPU)
		return LOCK_KERNEL_PERCPU;
	if (!(flags & (LCB_F_READ | LCB_F_WRITE)))
		return flags & LCB_F_SPIN ? LOCK_KERNEL_SPIN : LOCK_KERNEL_SEMAPHORE;
	if (flags & LCB_F_SPIN)
		return flags & LCB_F_READ ? LOCK_KERNEL_RWLOCK_READ : LOCK_KERNEL_RWLOCK_WRITE;
	return flags & LCB_F_READ ? LOCK_KERNEL_RWSEM_READ : LOCK_KERNEL_RWSEM_WRITE;
}

/* Does who waits for it keep its CPU? */
static __always_inline bool kernel_lock_spins(__u32 type)
{
	return type == LOCK_KERNEL_SPIN || type == LOCK_KERNEL_RWLOCK_READ || type == LOCK_KERNEL_RWLOCK_WRITE;
}

/* 0: it is free now, has several owners, or does not say. */
static __always_inline __u64 kernel_lock_owner(__u64 lock, __u32 type)
{
	struct rw_semaphore *semaphore = (void *)lock;
	struct mutex *mutex = (void *)lock;
	__u64 owner;

	if (type == LOCK_KERNEL_MUTEX && bpf_core_field_exists(mutex->owner))
		return BPF_CORE_READ(mutex, owner.counter) & ~(__u64)MUTEX_FLAGS;
	if ((type != LOCK_KERNEL_RWSEM_READ && type != LOCK_KERNEL_RWSEM_WRITE) ||
	    !bpf_core_field_exists(semaphore->owner))
		return 0;
	owner = BPF_CORE_READ(semaphore, owner.counter);
	return owner & RWSEM_READER_OWNED ? 0 : owner & ~(__u64)RWSEM_FLAGS;
}

static __always_inline void kernel_lock_read(struct wanted *wanted, __u64 lock, __u32 type)
{
	struct task_struct *owner = (void *)kernel_lock_owner(lock, type);
	__u64 pid_tgid;

	__builtin_memset(wanted, 0, sizeof(*wanted));
	wanted->lock = lock;
	wanted->type = type;
	if (!owner)
		return;
	pid_tgid = task_pid_tgid(false, owner);
	wanted->owner_tgid = pid_tgid >> 32;
	wanted->owner_tid = pid_tgid;
	wanted->owner_source = OWNER_WORD;
	task_load_comm(false, wanted->owner_comm, owner);
}
