/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the programs that users write share with `strata run`: losses, and how they come to stacks of user space. */
#pragma once

#include <linux/types.h>

#include "lib/user/stack_wire.h"

enum run_loss {
	LOSS_RUN_MAP = LOSS_STACK_TOOL, /* a key found no room in a map */
	LOSS_RUN_TURNS, /* a loop had more turns than the kernel permits */
	LOSS_RUN_BUSY, /* a program was interrupted, and ran again on its processor, where it has its memory */
};

/* A program that waits for its walk, on its processor. */
struct run_walk {
	__u64 users; /* at the same time, of which one has it */
	__u64 stack; /* the key in `stacks`; 0: none, or a loss */
	__u32 rest; /* the number of its second half */
	__u32 zero;
};

enum run_half { /* in an array of halves */
	RUN_WALK, /* of the current task */
	RUN_WALK_USER, /* of a function of user space, which begins */
	RUN_WALK_CALLER, /* or returns */
	RUN_REST, /* the first one behind a walk */
};
