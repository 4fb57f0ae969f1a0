/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What offcputime counts: time off the CPU by stack, or by stack and waker; a thread's account; stretches by their length. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"
#include "lib/user/stack_wire.h"

enum loss_of_offcputime { LOSS_UNSEEN = LOSS_STACK_TOOL };

enum off_state { /* of a thread when it left its CPU */
	OFF_RUNNABLE, /* the CPU was taken from it, or given away */
	OFF_SLEEPING,
	OFF_UNINTERRUPTIBLE,
	OFF_IDLE, /* as a worker of the kernel without work */
	OFF_STOPPED, /* or traced */
	OFF_PARKED,
	OFF_STATES,
};

enum off_reason { /* as the kernel tells it */
	OFF_UNKNOWN,
	OFF_IO,
	OFF_LOCK,
	OFF_QUOTA, /* its cgroup's was used up when it left its CPU */
	OFF_REASONS,
};

struct off_key {
	__u64 user_stack, kernel_stack; /* keys of `stacks`; 0: none, or it found no room */
	__u32 tgid;
	__u32 state; /* enum off_state */
	__u32 reason; /* enum off_reason */
	__u32 zero;
	char comm[16]; /* of the thread */
};

struct off_count {
	__u64 off_ns;
	__u64 count;
};

struct off_entry {
	__u64 from_ns, to_ns;
	struct off_count value;
	struct off_key key;
};

struct wake_key {
	struct off_key off; /* of the thread that was woken; without its stacks where only the waker's are asked for */
	__u64 waker_user_stack, waker_kernel_stack;
	__u32 waker_tgid, zero;
	char waker_comm[16]; /* empty: nobody woke it */
};

struct wake_entry {
	__u64 from_ns, to_ns;
	struct off_count value;
	struct wake_key key;
};

enum {
	CHAIN_WAKERS = 8,
	CHAIN_LINES = 16384, /* START_LINES */
	CHAINS = 16384,
};

struct chain_waker {
	__u64 user_stack, kernel_stack;
	char comm[16];
};

struct chain_key {
	struct off_key off;
	__u32 wakers;
	__u32 cut; /* there were more */
	struct chain_waker waker[CHAIN_WAKERS]; /* who woke the thread, who had woken that one, and so on */
};

struct chain_entry {
	__u64 from_ns, to_ns;
	struct off_count value;
	struct chain_key key;
};

struct off_slot_key {
	__u32 slot; /* of ns */
};

struct off_slot_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct off_slot_key key;
	__u32 zero;
};

struct account_key {
	__u32 tgid, tid;
	char comm[16]; /* that it has at its end */
};

struct account_count {
	__u64 wall_ns; /* from its beginning, or the run's, to its end, or the run's */
	__u64 on_ns;
	__u64 blocked_ns;
	__u64 wait_ns; /* for a CPU */
};

struct account_entry {
	__u64 from_ns, to_ns;
	struct account_count value;
	struct account_key key;
};

#ifdef __cplusplus
static_assert(sizeof(off_entry) == 80 && sizeof(wake_entry) == 120 && sizeof(chain_entry) == 344 &&
	      sizeof(off_slot_entry) == 48 && sizeof(account_entry) == 72);
#endif
