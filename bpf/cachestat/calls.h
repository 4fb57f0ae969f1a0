/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a system call does to a file's pages, and which bytes of which file it read. */
#pragma once

#include "core.h"

#include <asm/unistd.h>

#include "compat.h"

enum { CALL_OTHER, CALL_READS, CALL_WRITES };

static __always_inline bool is_read_call(__u32 nr)
{
	switch (nr) {
	case __NR_read:
	case __NR_pread64:
	case __NR_readv:
	case __NR_preadv:
	case __NR_preadv2:
	case __NR_sendfile:
	case __NR_splice:
	case __NR_copy_file_range:
		return true;
	}
	return false;
}

static __always_inline bool is_write_call(__u32 nr)
{
	switch (nr) {
	case __NR_write:
	case __NR_pwrite64:
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
		return true;
	}
	return false;
}

const volatile bool by_functions; /* whoever reads, the end of it is seen; else only of the calls above */

/* The kernel reads for whoever is in these calls. */
static __always_inline bool reads_within(__u32 nr)
{
	return nr == __NR_io_uring_enter || nr == __NR_io_submit || nr == __NR_execve || nr == __NR_execveat;
}

/* What the current task is in. Threads of the kernel work for io_uring or a loop device. */
static __always_inline __u32 current_call(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	const __u32 unknown = by_functions ? CALL_READS : CALL_OTHER;
	__u64 regs;
	__u32 nr;

	if (BPF_CORE_READ(task, flags) & (PF_KTHREAD | PF_IO_WORKER) || is_compat_syscall())
		return unknown;
	regs = task_registers();
	if (!regs)
		return unknown;
	nr = syscall_nr(regs);
	if (is_write_call(nr))
		return CALL_WRITES;
	if (is_read_call(nr))
		return CALL_READS;
	return reads_within(nr) ? unknown : CALL_OTHER;
}

static __always_inline __u32 read_fd(__u64 regs, __u32 nr)
{
	return nr == __NR_sendfile ? syscall_arg(regs, 1) : syscall_arg(regs, 0);
}

/* Where the read ended: its own position, one that the caller's memory has, or the file's. */
static __always_inline __u64 read_end(__u64 regs, __u32 nr, struct file *file, __s64 bytes)
{
	__u64 position, memory = 0;

	if (nr == __NR_pread64 || nr == __NR_preadv || nr == __NR_preadv2) {
		position = syscall_arg(regs, 3);
		if (nr != __NR_preadv2 || position != (__u64)-1)
			return position + bytes;
	}
	if (nr == __NR_sendfile)
		memory = syscall_arg(regs, 2);
	else if (nr == __NR_splice || nr == __NR_copy_file_range)
		memory = syscall_arg(regs, 1);
	if (memory && !bpf_probe_read_user(&position, sizeof(position), (void *)memory))
		return position;
	return BPF_CORE_READ(file, f_pos);
}
