/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A system call that opens a file, from its registers: at its end number and arguments still
 * stand there. 32-bit callers have other numbers and other registers.
 */
#pragma once

#include "compat.h"
#include "core.h"

#include <linux/openat2.h>

#define AT_FDCWD -100
#define O_WRONLY 01
#define O_CREAT 0100
#define O_TRUNC 01000

enum open_kind {
	OPEN_NONE,
	OPEN_OPEN,  /* (name, flags, mode) */
	OPEN_CREAT, /* (name, mode) */
	OPEN_AT,    /* (dirfd, name, flags, mode) */
	OPEN_AT2,   /* (dirfd, name, how, size of how) */
};

struct open_call {
	__u64 name; /* in user space */
	struct open_how how;
	__s32 dirfd;
};

static __always_inline enum open_kind open_kind_64(__u32 nr)
{
#if defined(__TARGET_ARCH_x86)
	if (nr == 2)
		return OPEN_OPEN;
	if (nr == 85)
		return OPEN_CREAT;
	if (nr == 257)
		return OPEN_AT;
#elif defined(__TARGET_ARCH_arm64)
	if (nr == 56)
		return OPEN_AT;
#endif
	return nr == 437 ? OPEN_AT2 : OPEN_NONE;
}

static __always_inline enum open_kind open_kind_32(__u32 nr)
{
	if (nr == 5)
		return OPEN_OPEN;
	if (nr == 8)
		return OPEN_CREAT;
#if defined(__TARGET_ARCH_x86)
	if (nr == 295)
		return OPEN_AT;
#elif defined(__TARGET_ARCH_arm64)
	if (nr == 322)
		return OPEN_AT;
#endif
	return nr == 437 ? OPEN_AT2 : OPEN_NONE;
}

/* Most calls are none of either: only the others ask whose number it is. */
static __always_inline enum open_kind open_kind(__u32 nr)
{
	enum open_kind wide = open_kind_64(nr), narrow = open_kind_32(nr);

	if (!wide && !narrow)
		return OPEN_NONE;
	return is_compat_syscall() ? narrow : wide;
}

/* open(2) and openat(2) give no mode to a call that makes no file; openat2(2) refuses it. */
static __always_inline void open_call_read(struct open_call *c, enum open_kind kind, __u64 regs)
{
	const bool narrow = is_compat_syscall();
	__u64 a = narrow ? compat_syscall_arg(regs, 0) : syscall_arg(regs, 0);
	__u64 b = narrow ? compat_syscall_arg(regs, 1) : syscall_arg(regs, 1);
	__u64 d = narrow ? compat_syscall_arg(regs, 2) : syscall_arg(regs, 2);
	__u64 e = narrow ? compat_syscall_arg(regs, 3) : syscall_arg(regs, 3);
	const bool at = kind == OPEN_AT || kind == OPEN_AT2;

	__builtin_memset(c, 0, sizeof(*c));
	c->dirfd = at ? (__s32)a : AT_FDCWD;
	c->name = at ? b : a;
	if (kind == OPEN_AT2) {
		bpf_probe_read_user(&c->how, sizeof(c->how), (void *)d);
	} else if (kind == OPEN_CREAT) {
		c->how.flags = O_CREAT | O_WRONLY | O_TRUNC;
		c->how.mode = (__u32)b;
	} else {
		c->how.flags = (__u32)(at ? d : b);
		c->how.mode = (__u32)(at ? e : d);
	}
}
