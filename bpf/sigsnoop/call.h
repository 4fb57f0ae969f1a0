/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A system call that sends a signal, from its registers: at its end number and arguments still
 * stand there. 32-bit callers have other numbers and other registers.
 */
#pragma once

#include "compat.h"
#include "signal.h"
#include "task.h"

enum kill_kind {
	KILL_NONE,
	KILL_PROCESS, /* kill(pid, signal) */
	KILL_TASK,    /* tkill(tid, signal) */
	KILL_THREAD,  /* tgkill(tgid, tid, signal) */
	KILL_QUEUE,   /* rt_sigqueueinfo(tgid, signal, info) */
	KILL_TQUEUE,  /* rt_tgsigqueueinfo(tgid, tid, signal, info) */
	KILL_PIDFD,   /* pidfd_send_signal(pidfd, signal, info, flags) */
};

struct kill_call {
	__s32 target; /* as in struct signal_event */
	__u32 target_tid;
	__s32 code;
};

#define KILL_PIDFD_NR 424 /* everywhere */

static __always_inline enum kill_kind kill_kind_64(__u32 nr)
{
	switch (nr) {
#if defined(__TARGET_ARCH_x86)
	case 62:
		return KILL_PROCESS;
	case 200:
		return KILL_TASK;
	case 234:
		return KILL_THREAD;
	case 129:
		return KILL_QUEUE;
	case 297:
		return KILL_TQUEUE;
#elif defined(__TARGET_ARCH_arm64)
	case 129:
		return KILL_PROCESS;
	case 130:
		return KILL_TASK;
	case 131:
		return KILL_THREAD;
	case 138:
		return KILL_QUEUE;
	case 240:
		return KILL_TQUEUE;
#endif
	case KILL_PIDFD_NR:
		return KILL_PIDFD;
	}
	return KILL_NONE;
}

static __always_inline enum kill_kind kill_kind_32(__u32 nr)
{
	switch (nr) {
	case 37:
		return KILL_PROCESS;
	case 238:
		return KILL_TASK;
	case 178:
		return KILL_QUEUE;
#if defined(__TARGET_ARCH_x86)
	case 270:
		return KILL_THREAD;
	case 335:
		return KILL_TQUEUE;
#elif defined(__TARGET_ARCH_arm64)
	case 268:
		return KILL_THREAD;
	case 363:
		return KILL_TQUEUE;
#endif
	case KILL_PIDFD_NR:
		return KILL_PIDFD;
	}
	return KILL_NONE;
}

/* Most calls are none of either: only the others ask whose number it is. */
static __always_inline enum kill_kind kill_kind(__u32 nr)
{
	enum kill_kind wide = kill_kind_64(nr), narrow = kill_kind_32(nr);

	if (!wide && !narrow)
		return KILL_NONE;
	return is_compat_syscall() ? narrow : wide;
}

static __always_inline __u64 kill_arg(__u64 regs, const int n)
{
	return is_compat_syscall() ? compat_syscall_arg(regs, n) : syscall_arg(regs, n);
}

static __always_inline __u32 kill_signal(enum kill_kind kind, __u64 regs)
{
	return kind == KILL_THREAD || kind == KILL_TQUEUE ? kill_arg(regs, 2) : kill_arg(regs, 1);
}

/* The caller's own si_code, at the same place for 32-bit callers. */
static __always_inline __s32 kill_user_code(__u64 info, __s32 otherwise)
{
	__s32 code;

	if (!info || bpf_probe_read_user(&code, sizeof(code), (void *)(info + 8)))
		return otherwise;
	return code;
}

static __always_inline void kill_call_read(struct kill_call *c, enum kill_kind kind, __u64 regs)
{
	__u32 first = kill_arg(regs, 0);

	c->target = kind == KILL_TASK || kind == KILL_PIDFD ? 0 : first;
	c->target_tid = kind == KILL_TASK ? first : 0;
	if (kind == KILL_THREAD || kind == KILL_TQUEUE)
		c->target_tid = kill_arg(regs, 1);
	c->code = SI_USER;
	if (kind == KILL_TASK || kind == KILL_THREAD)
		c->code = SI_TKILL;
	else if (kind == KILL_QUEUE || kind == KILL_PIDFD)
		c->code = kill_user_code(kill_arg(regs, 2), kind == KILL_PIDFD ? SI_USER : SI_QUEUE);
	else if (kind == KILL_TQUEUE)
		c->code = kill_user_code(kill_arg(regs, 3), SI_QUEUE);
}
