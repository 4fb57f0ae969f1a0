/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A lock that a thread waits for, and who has it as far as that is known when the wait begins. */
#pragma once

#include "locks.h"

struct wanted {
	__u64 lock; /* its address */
	__u32 type; /* enum lock_type */
	__u32 owner_source; /* enum owner_source */
	__u32 owner_tgid, owner_tid;
	char owner_comm[16]; /* empty: not known */
};
