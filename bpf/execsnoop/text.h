/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The text of a record, part by part, each behind the last. A function gets the place and returns
 * the bytes that it put there; tests and masks tell the verifier what is so anyway.
 */
#pragma once

#include "exec.h"

#include "execsnoop.h"
#include "lib/fs/path.h"

#define AT_FDCWD -100
#define EXEC_ARGC 512 /* arguments of a failed call */

const volatile __u32 max_args = EXEC_ARGS;

/* Hides from the compiler what it knows of x: it keeps the test that the verifier needs. */
#define HIDE(x) asm volatile("" : "+r"(x))

/* Without its NUL. */
static __always_inline __u64 text_kernel(struct exec_event *e, __u64 at, const char *from)
{
	long got;

	if (at > EXEC_NAME)
		return 0;
	got = bpf_probe_read_kernel_str(e->text + at, EXEC_NAME, from);
	return got > 0 ? (got - 1) & (EXEC_NAME - 1) : 0;
}

static __always_inline __u64 text_user(struct exec_event *e, __u64 from)
{
	long got = bpf_probe_read_user_str(e->text, EXEC_NAME, (void *)from);

	return got > 0 ? (got - 1) & (EXEC_NAME - 1) : 0;
}

static __always_inline __u64 text_names(struct exec_event *e, __u64 at, struct path_names *p)
{
	__u64 bytes = p->bytes;

	HIDE(bytes);
	if (at > 2 * EXEC_NAME + EXEC_PATH || bytes > sizeof(p->names))
		return 0;
	bpf_probe_read_kernel(e->text + at, bytes, p->names);
	return bytes;
}

static __always_inline __u64 text_cwd(struct exec_event *e, __u64 at, struct path_names *p)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	if (!p)
		return 0;
	path_fill(p, (__u64)BPF_CORE_READ(task, fs, pwd.dentry),
		  mount_of((__u64)BPF_CORE_READ(task, fs, pwd.mnt)));
	e->cwd_whole = p->whole;
	return e->cwd_bytes = text_names(e, at, p);
}

static __always_inline __u64 text_exe(struct exec_event *e, __u64 at, struct path_names *p,
				      struct file *file)
{
	if (!p)
		return 0;
	path_of_file(p, file);
	/* A memory file has a name, but is nowhere. */
	if (!p->bytes)
		p->whole = path_add(p, (__u64)BPF_CORE_READ(file, f_path.dentry));
	e->exe_whole = p->whole;
	e->exe_deleted = BPF_CORE_READ(file, f_inode, i_nlink) == 0;
	return e->exe_bytes = text_names(e, at, p);
}

/* The new program's arguments, as they lie in its memory. */
static __always_inline __u64 text_arguments(struct exec_event *e, __u64 at, __u64 from, __u64 to)
{
	__u64 bytes;

	e->args_total = to - from;
	bytes = e->args_total < max_args ? e->args_total : max_args;
	HIDE(bytes);
	if (at > 2 * EXEC_NAME + 2 * EXEC_PATH || bytes > EXEC_ARGS ||
	    bpf_probe_read_user(e->text + at, bytes, (void *)from))
		bytes = 0;
	return e->args_bytes = bytes;
}

/* One argument of argv; false if it is not there, or there is no room for it. */
static __always_inline bool text_argument(struct exec_event *e, __u64 at, __u64 from)
{
	__u64 bytes = e->args_bytes;
	long got;

	if (!from || bytes >= max_args || bytes >= EXEC_ARGS - EXEC_NAME || at > EXEC_NAME + EXEC_PATH)
		return false;
	got = bpf_probe_read_user_str(e->text + at + bytes, EXEC_NAME, (void *)from);
	if (got < 0)
		return false;
	/* 5.10 says 0 of an empty string, newer kernels 1. */
	if (!got) {
		e->text[at + bytes] = 0;
		got = 1;
	}
	e->args_bytes = bytes + (got & (2 * EXEC_NAME - 1));
	return got < EXEC_NAME;
}

/* A failed call's arguments, which only the caller has. */
static __always_inline __u64 text_argv(struct exec_event *e, __u64 at, __u64 argv)
{
	__u64 from = 0;
	int i;

	e->args_bytes = 0;
	e->args_cut = argv != 0;
	for (i = 0; i < EXEC_ARGC; i++) {
		if (bpf_probe_read_user(&from, sizeof(from), (void *)(argv + i * sizeof(from))))
			break;
		if (!from)
			e->args_cut = 0;
		if (!text_argument(e, at, from))
			break;
	}
	return e->args_bytes;
}

/* Sends the record with `bytes` of text, and the stack of who called. */
static __always_inline void text_emit(struct exec_event *e, __u64 bytes, __u64 stack)
{
	HIDE(bytes);
	if (bytes >= EXEC_TEXT)
		return;
	e->text[bytes] = 0; /* so that there is text in any case */
	emit_copy_with(e, EXEC_HEADER + 1 + bytes, sizeof(*e), stack);
}
