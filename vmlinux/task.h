/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tasks: include/linux/sched.h, fdtable.h, arch/.../ptrace.h */
#pragma once

#include "core.h"
#include "sched.h"

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8;
	unsigned long ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
} CORE;

struct thread_info {
	__u32 status; /* TS_COMPAT while a 32-bit system call runs */
} CORE;
#define TS_COMPAT 0x0002
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	__u64 regs[31];
	__u64 sp, pc, pstate;
} CORE;

struct pt_regs {
	union {
		struct user_pt_regs user_regs;
	};
	__u64 orig_x0;
	__s32 syscallno;
} CORE;

struct thread_info {
	unsigned long flags; /* bit TIF_32BIT for a 32-bit task */
} CORE;
#define TIF_32BIT 22
#endif

struct file;

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
} CORE;

struct uprobe_task;

struct files_struct {
	struct fdtable *fdt;
} CORE;

struct fs_struct;
struct mm_struct;
struct mnt_namespace {
	struct ns_common ns;
	__u64 event; /* grows with each change of its mounts */
} CORE;

struct nsproxy {
	struct mnt_namespace *mnt_ns;
} CORE;

struct signal_struct {
	struct {
		int counter;
	} live; /* threads that have not begun to exit */
	unsigned int flags;
	int group_exit_code; /* under SIGNAL_GROUP_EXIT: of all threads */
} CORE;
#define SIGNAL_GROUP_EXIT 0x00000004

/* What the task asked devices for; only with CONFIG_TASK_IO_ACCOUNTING. */
struct task_io_accounting {
	__u64 read_bytes;
} CORE;

struct task_struct {
	struct thread_info thread_info;
	void *stack;
	unsigned int flags; /* PF_* */
	int prio;	    /* 120: nice 0; below 100: real time */
	int pid;            /* the thread: user space's tid */
	int tgid;           /* the process: user space's pid */
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct fs_struct *fs;
	struct files_struct *files;
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
	struct mm_struct *mm;
	struct sched_entity se;
	struct sched_info sched_info;
	struct pid *thread_pid;
	struct css_set *cgroups;
	unsigned int __state; /* TASK_*; 0: it runs, or wants to */
	unsigned int in_iowait : 1; /* it waits for I/O, or for what is taken for it */
	unsigned int in_memstall : 1; /* it lacks memory, as PSI counts it: swap, reclaim, pages that were cached; only with CONFIG_PSI */
	_Bool throttled; /* put aside by its group's quota, on its way to user mode (6.18) */
	__u64 start_time; /* ns of CLOCK_MONOTONIC */
	int exit_code; /* as wait(2) gives it */
	unsigned long nvcsw; /* times that it gave up its CPU to wait */
	struct task_io_accounting ioac;
	struct uprobe_task *utask; /* NULL: none of its functions was ever traced */
	char comm[16];
} CORE;

#define PF_EXITING 0x00000004
#define PF_FORKNOEXEC 0x00000040 /* forked, and has not executed a program since; also set in each new thread */
#define PF_MEMALLOC 0x00000800 /* the task is reclaiming memory */
#define PF_KSWAPD 0x00020000
#define PF_IO_WORKER 0x00000010 /* of io_uring, since 5.12; before, PF_KTHREAD */
#define PF_KTHREAD 0x00200000
