/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads, writes, opens and fsyncs of files, from begin to end: by the functions of each file system where the host permits
 * that, else by system calls. Copies (copy_file_range, sendfile, splice) are system calls in both ways, because what they
 * come to differs: reads and writes in pieces, a clone, or a function of the kernel's release. src/subsys/fs_calls.cpp
 * chooses. A tool defines before it includes this
 *
 *	static __always_inline void fs_began(struct fs_start *s);	what else it keeps
 *	static __always_inline int fs_done(struct fs_start *s, struct fs_call *c);
 */
#pragma once

#include "compat.h"

#include "lib/core/filter.h"
#include "lib/fs/names.h"
#include "lib/core/start.h"

#define S_IFMT 0170000
#define S_IFREG 0100000
#define O_PATH 010000000
#define FS_END 0x7fffffffffffffffULL /* of an fsync of the whole file */
#define EBADF 9
#define EIOCBQUEUED 529

const volatile __u64 min_ns;
const volatile __u8 fs_calls[512];	    /* by system call number: fs_op + 1, with the flags beside it, or 0 */
const volatile __u64 fs_magics[FS_TYPES]; /* of super blocks; 0: not asked for */

struct fs_start {
	__u32 tid;
	__u32 what; /* fs_op, the file system << 8, or the system call << 8 */
	__u64 ts_ns;
	__u64 file;
	__u64 kiocb; /* of a read or write by function */
	__u64 saved[2]; /* the tool's */
};

struct fs_call {
	__u64 lat_ns;
	__s64 result;
	__u64 regs; /* of a system call, else 0 */
	__u64 kiocb; /* of a read or write, where the verifier knows it and it is still there; else 0 */
	__u32 op;
	__u32 fs;
	__u32 slot; /* another one in each program that may run at the same time */
	bool from;  /* of a copy: the file is the one that is read */
};

static struct fs_start fs_starts[START_LINES];

static __always_inline int fs_done(struct fs_start *s, struct fs_call *c);
static __always_inline void fs_began(struct fs_start *s);

static __always_inline struct fs_start *fs_line(__u32 tid)
{
	return &fs_starts[START_LINE(tid)];
}

/* A copy whose end was not seen, because the program was skipped, must not hide the task's later calls. */
static __noinline bool fs_copy_goes_on(__u32 nr)
{
	__u64 regs = task_registers();

	return !regs || syscall_nr(regs) == nr;
}

/* Is it a part of a copy? That counts as a whole. */
static __always_inline bool fs_in_copy(struct fs_start *s, __u32 tid)
{
	return s->tid == tid && (s->what & FS_OP_MASK) == FS_COPY && fs_copy_goes_on(s->what >> 8);
}

/* `nested`: the kernel may call it in the course of a copy. */
static __always_inline int fs_begin(__u32 what, __u64 file, __u64 kiocb, const bool nested)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct fs_start *s = fs_line(tid);

	if (nested && fs_in_copy(s, tid))
		return 0;
	if (!filter_passes())
		return 0;
	start_save(&s->tid, tid);
	s->what = what;
	s->file = file;
	s->kiocb = kiocb;
	fs_began(s);
	s->ts_ns = bpf_ktime_get_ns();
	return 0;
}

/* Is what the task began this? Then it is over, unless it was too fast to be of interest. */
static __always_inline bool fs_ended(struct fs_start *s, __u32 tid, struct fs_call *c)
{
	if (!start_take(&s->tid, tid))
		return false;
	c->lat_ns = bpf_ktime_get_ns() - s->ts_ns;
	return c->lat_ns >= min_ns;
}

/* ---- by functions ---- */

static __noinline int fs_enter(__u32 what, __u64 file, __u64 kiocb)
{
	return fs_begin(what, file, kiocb, true);
}

/* A kretprobe needs room, of which the kernel sets little aside: a start that is still there had none. */
static __noinline int fs_enter_again(__u32 what, __u64 file, __u64 kiocb)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct fs_start *s = fs_line(tid);

	if (s->tid == tid && !fs_in_copy(s, tid))
		count_loss(LOSS_FS_RETURN);
	return fs_begin(what, file, kiocb, true);
}

static __always_inline bool fs_regular(__u64 address)
{
	struct file *file = (void *)address;

	return (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) == S_IFREG;
}

static __noinline int fs_leave(__u32 what, __s64 result, __u64 kiocb)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct fs_start *s = fs_line(tid);
	struct fs_call c = {
		.result = result,
		.kiocb = result == -EIOCBQUEUED ? 0 : kiocb,
		.op = what & 0xff,
		.fs = what >> 8,
		.slot = (what >> 8) * FS_OPS + (what & 0xff),
	};

	if (s->what != what || !fs_ended(s, tid, &c))
		return 0;
	/* xfs opens directories by the same function. */
	if (c.op == FS_OPEN && !fs_regular(s->file))
		return 0;
	return fs_done(s, &c);
}

/* fsync(2) is for all of the file; an O_SYNC write and msync(2) call the same function for a part. */
static __always_inline bool fs_partial_sync(__u64 end)
{
	return end != FS_END;
}

#define FS_ITER(name, op, n)                                                                       \
	SEC("fentry") int name##_enter_##n##__fentry(tp_ctx *ctx)                                  \
	{                                                                                          \
		struct kiocb *kiocb = (void *)ctx[0];                                              \
		return fs_enter((op) | (n) << 8, (__u64)kiocb->ki_filp, (__u64)kiocb);              \
	}                                                                                          \
	SEC("kprobe") int name##_enter_##n##__kprobe(struct pt_regs *ctx)                          \
	{                                                                                          \
		struct kiocb *kiocb = (void *)PT_REGS_PARM1(ctx);                                  \
		return fs_enter_again((op) | (n) << 8, (__u64)BPF_CORE_READ(kiocb, ki_filp),        \
				      (__u64)kiocb);                                               \
	}                                                                                          \
	FS_LEAVE(name, op, n, 2, , ctx[0])

#define FS_LEAVE(name, op, n, args, type, kiocb)                                                   \
	SEC("fexit") int name##_leave_##n##__fexit(tp_ctx *ctx)                                    \
	{                                                                                          \
		return fs_leave((op) | (n) << 8, type ctx[args], kiocb);                           \
	}                                                                                          \
	SEC("kretprobe") int name##_leave_##n##__kretprobe(struct pt_regs *ctx)                    \
	{                                                                                          \
		return fs_leave((op) | (n) << 8, type PT_REGS_RC(ctx), 0);                         \
	}

#define FS_OPEN_AND_FSYNC(n)                                                                       \
	SEC("fentry") int open_enter_##n##__fentry(tp_ctx *ctx)                                    \
	{                                                                                          \
		return fs_enter(FS_OPEN | (n) << 8, ctx[1], 0);                                    \
	}                                                                                          \
	SEC("kprobe") int open_enter_##n##__kprobe(struct pt_regs *ctx)                            \
	{                                                                                          \
		return fs_enter_again(FS_OPEN | (n) << 8, PT_REGS_PARM2(ctx), 0);                  \
	}                                                                                          \
	FS_LEAVE(open, FS_OPEN, n, 2, (int), 0)                                                    \
	SEC("fentry") int fsync_enter_##n##__fentry(tp_ctx *ctx)                                   \
	{                                                                                          \
		return fs_partial_sync(ctx[2]) ? 0 : fs_enter(FS_FSYNC | (n) << 8, ctx[0], 0);     \
	}                                                                                          \
	SEC("kprobe") int fsync_enter_##n##__kprobe(struct pt_regs *ctx)                           \
	{                                                                                          \
		return fs_partial_sync(PT_REGS_PARM3(ctx)) ?                                       \
			       0 : fs_enter_again(FS_FSYNC | (n) << 8, PT_REGS_PARM1(ctx), 0);     \
	}                                                                                          \
	FS_LEAVE(fsync, FS_FSYNC, n, 4, (int), 0)

#define FS_HOOKS(n)                                                                                \
	FS_ITER(read, FS_READ, n)                                                                  \
	FS_ITER(write, FS_WRITE, n)                                                                \
	FS_OPEN_AND_FSYNC(n)

FS_HOOKS(0)
FS_HOOKS(1)
FS_HOOKS(2)
FS_HOOKS(3)
FS_HOOKS(4)
FS_HOOKS(5)
FS_HOOKS(6)
FS_HOOKS(7)
FS_HOOKS(8)

/* ---- by system calls ---- */

/* Its number; FS_TYPES if the file is of no file system that was asked for, or not a regular one. */
static __always_inline __u32 fs_of(struct file *file)
{
	__u64 magic = BPF_CORE_READ(file, f_inode, i_sb, s_magic);
	__u32 fs;

	for (fs = 0; fs < FS_TYPES; fs++)
		if (fs_magics[fs] && fs_magics[fs] == magic)
			break;
	return fs == FS_TYPES || !fs_regular((__u64)file) ? FS_TYPES : fs;
}

/* The file of a call that ended; 0 without one that matters. */
static __always_inline __u64 fs_file(struct fs_call *c)
{
	struct file *file;

	if (c->op == FS_OPEN && c->result < 0)
		return 0;
	file = (void *)file_of(c->op == FS_OPEN ? c->result : syscall_arg(c->regs, 0));
	if (!file && c->result != -EBADF)
		count_loss(LOSS_FS_CLOSED);
	if (file && c->op == FS_OPEN && BPF_CORE_READ(file, f_flags) & O_PATH)
		return 0;
	return (__u64)file;
}

/* Of a copy: the file that it writes; the one that it reads if it writes to a pipe, a socket or what was not asked for. */
static __always_inline __u64 fs_copied_file(struct fs_start *s, struct fs_call *c)
{
	const bool out_first = s->what & FS_OUT_FIRST;
	__u64 to = file_of(out_first ? syscall_arg(c->regs, 0) : syscall_arg(c->regs, 2)), from;

	if (to && fs_of((struct file *)to) != FS_TYPES)
		return to;
	from = file_of(out_first ? syscall_arg(c->regs, 1) : syscall_arg(c->regs, 0));
	c->from = true;
	if ((!to || !from) && c->result != -EBADF)
		count_loss(LOSS_FS_CLOSED);
	return from;
}

static __noinline int fs_leave_syscall(__u64 regs, __s64 result, __u32 slot)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct fs_start *s = fs_line(tid);
	struct fs_call c = {.result = result, .regs = regs, .slot = slot};

	if (s->tid != tid || s->what >> 8 != syscall_nr(regs) || !fs_ended(s, tid, &c) ||
	    is_compat_syscall())
		return 0;
	c.op = s->what & FS_OP_MASK;
	s->file = c.op == FS_COPY ? fs_copied_file(s, &c) : fs_file(&c);
	if (!s->file)
		return 0;
	c.fs = fs_of((struct file *)s->file);
	if (c.fs == FS_TYPES)
		return 0;
	return fs_done(s, &c);
}

/*
 * A copy by the function of its system call, which costs others nothing. Its argument is the task's registers, but to 5.10 a
 * type without members, which programs may not load.
 */
static __noinline int fs_enter_copy(void)
{
	__u32 nr = syscall_nr(task_registers()), call = nr < 512 ? fs_calls[nr] & ~FS_32BIT : 0;

	return call ? fs_begin((call - 1) | nr << 8, 0, 0, false) : 0;
}

static __noinline int fs_leave_copy(__s64 result, __u32 n)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct fs_start *s = fs_line(tid);

	if (s->tid != tid || (s->what & FS_OP_MASK) != FS_COPY)
		return 0;
	return fs_leave_syscall(task_registers(), result, n * FS_OPS + FS_COPY);
}

#define FS_COPY_CALL(n)                                                                            \
	SEC("fentry") int copy_enter_##n##__fentry(tp_ctx *ctx)                                    \
	{                                                                                          \
		return fs_enter_copy();                                                            \
	}                                                                                          \
	SEC("kprobe") int copy_enter_##n##__kprobe(struct pt_regs *ctx)                            \
	{                                                                                          \
		return fs_enter_copy();                                                            \
	}                                                                                          \
	SEC("fexit") int copy_leave_##n##__fexit(tp_ctx *ctx)                                      \
	{                                                                                          \
		return fs_leave_copy(ctx[1], n);                                                   \
	}                                                                                          \
	SEC("kretprobe") int copy_leave_##n##__kretprobe(struct pt_regs *ctx)                      \
	{                                                                                          \
		return fs_leave_copy(PT_REGS_RC(ctx), n);                                          \
	}

FS_COPY_CALL(0)
FS_COPY_CALL(1)
FS_COPY_CALL(2)

TRACEPOINT(sys_enter, struct pt_regs *regs, long nr)
{
	__u32 call = nr >= 0 && nr < 512 ? fs_calls[nr] : 0;

	if (call & FS_32BIT && is_compat_syscall()) {
		if (filter_passes())
			count_loss(LOSS_FS_32BIT);
		return 0;
	}
	call &= ~FS_32BIT;
	return call ? fs_begin((call - 1) | nr << 8, 0, 0, false) : 0;
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 address = (__u64)regs;

	return fs_line(tid)->tid == tid ? fs_leave_syscall(address, result, 0) : 0;
}
