/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A system call that accepts a connection, from its registers: at its end number and arguments
 * still stand there. Descriptors lead to sockets through the task's table of files.
 */
#pragma once

#include "compat.h"
#include "net.h"
#include "task.h"

#define S_IFMT 0170000
#define S_IFSOCK 0140000

enum accept_kind {
	ACCEPT_NONE,
	ACCEPT_CALL,	   /* (fd, ...) */
	ACCEPT_SOCKETCALL, /* (call, arguments in memory), of 32-bit callers */
};

static __always_inline enum accept_kind accept_kind_64(__u32 nr)
{
#if defined(__TARGET_ARCH_x86)
	return nr == 43 || nr == 288 ? ACCEPT_CALL : ACCEPT_NONE;
#elif defined(__TARGET_ARCH_arm64)
	return nr == 202 || nr == 242 ? ACCEPT_CALL : ACCEPT_NONE;
#endif
}

static __always_inline enum accept_kind accept_kind_32(__u32 nr)
{
#if defined(__TARGET_ARCH_x86)
	if (nr == 102)
		return ACCEPT_SOCKETCALL;
	return nr == 364 ? ACCEPT_CALL : ACCEPT_NONE;
#elif defined(__TARGET_ARCH_arm64)
	return nr == 285 || nr == 366 ? ACCEPT_CALL : ACCEPT_NONE;
#endif
}

/* Most calls are none of either: only the others ask whose number it is. */
static __always_inline enum accept_kind accept_kind(__u32 nr)
{
	enum accept_kind wide = accept_kind_64(nr), narrow = accept_kind_32(nr);

	if (!wide && !narrow)
		return ACCEPT_NONE;
	return is_compat_syscall() ? narrow : wide;
}

/* The listening descriptor; -1 if the call is another one of socketcall(2). */
static __always_inline __s32 accept_listener(enum accept_kind kind, __u64 regs)
{
	__u32 call, fd;

	if (kind == ACCEPT_CALL)
		return is_compat_syscall() ? compat_syscall_arg(regs, 0) : (__u32)syscall_arg(regs, 0);
	call = compat_syscall_arg(regs, 0);
	if (call != 5 && call != 18) /* SYS_ACCEPT, SYS_ACCEPT4 */
		return -1;
	if (bpf_probe_read_user(&fd, sizeof(fd), (void *)(__u64)compat_syscall_arg(regs, 1)))
		return -1;
	return fd;
}

/* NULL if the descriptor is no socket: another thread may have closed it meanwhile. */
static __always_inline struct sock *sock_of_fd(__s32 fd)
{
	struct file *file = fd < 0 ? NULL : (void *)file_of(fd);
	struct socket *socket;

	if (!file || (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return NULL;
	socket = BPF_CORE_READ(file, private_data);
	return BPF_CORE_READ(socket, sk);
}
