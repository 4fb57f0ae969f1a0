/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What sigsnoop sends to user space: each signal as it is queued, and each call that queued none. */
#pragma once

#include <linux/types.h>

enum signal_origin {
	SIGNAL_CALL,   /* kill(2) or another system call of the sender */
	SIGNAL_ACT,    /* the kernel, because of what the sender did: its exit, a write to a pipe that nobody reads */
	SIGNAL_KERNEL, /* the kernel, of itself: a fault, a timer, a terminal. The current task may be a bystander */
};

/* The first ones are the tracepoint's (TRACE_SIGNAL_*); but where it says that the queue is full, the result is -EAGAIN. */
enum signal_result {
	SIGNAL_SENT,
	SIGNAL_IGNORED,
	SIGNAL_PENDING,
	SIGNAL_OVERFLOW,
	SIGNAL_NO_INFO,
	SIGNAL_EXISTS, /* a call with signal 0 */
};

struct signal_event {
	__u64 ts_ns; /* CLOCK_MONOTONIC */
	__u32 signal;
	__s32 code;   /* si_code */
	__s32 result; /* enum signal_result, or a negative errno */
	__u32 origin; /* enum signal_origin */
	__u32 tgid;   /* of the current task */
	__u32 tid;
	__s32 target;	  /* the process; of a call that failed as it was given, 0 or less is a group; 0 if unknown */
	__u32 target_tid; /* of a signal to one thread, else 0 */
	char comm[16];
	char target_comm[16]; /* empty: not known */
};

#ifdef __cplusplus
static_assert(sizeof(signal_event) == 72);
#endif
