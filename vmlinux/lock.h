/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Mutexes, and the tracepoints of all locks: include/linux/mutex.h, include/trace/events/lock.h. A rw_semaphore is in fs.h. */
#pragma once

#include "core.h"

/* Of the tracepoint contention_begin (5.19); none: a semaphore. */
#define LCB_F_SPIN 1
#define LCB_F_READ 2
#define LCB_F_WRITE 4
#define LCB_F_RT 8
#define LCB_F_PERCPU 16
#define LCB_F_MUTEX 32 /* with LCB_F_SPIN as long as it spins */

struct mutex {
	struct {
		__s64 counter;
	} owner; /* the task, and MUTEX_FLAGS; not with PREEMPT_RT */
} CORE;
#define MUTEX_FLAGS 7
