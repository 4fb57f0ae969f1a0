// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each open, when it returns: one program, and no map of calls under way. Where
 * functions may be traced it is the end of do_sys_openat2, which every open of user space passes
 * (32-bit callers too; io_uring does not) and no other system call pays for; else the end of all
 * system calls. The name is read then: the kernel has just read it, so it is in memory.
 *
 * Rejected: sys_enter and sys_exit with a map between them (2.6 times the BPF), where a name that is
 * not in memory yet is lost.
 */
#include "core.h"

#include "fs.h"
#include "task.h"

#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "lib/fs/open_call.h"
#include "lib/fs/path.h"
#include "lib/core/start.h"
#include "lib/core/tracepoint.h"
#include "opensnoop.h"

#define O_ACCMODE 03
#define O_PATH 010000000
#define EFAULT 14

const volatile bool failed_only;
const volatile bool full_path;	     /* dir is to be filled */
const volatile bool by_flags;	     /* one of the next two */
const volatile __u32 wanted_access;  /* 1 << access mode: O_RDONLY, O_WRONLY, O_RDWR */
const volatile __u64 wanted_flags;   /* O_* of which one is enough */
const volatile bool by_uid;
const volatile __u32 wanted_uid;
const volatile bool timed;	     /* the beginnings are kept */
const volatile __u64 min_lat_ns;

EMIT_SCRATCH(record, struct open_event);

struct open_start {
	__u32 tid;
	__u32 pad;
	__u64 ts_ns;
};
static struct open_start starts[START_LINES];

static __always_inline int begin_open(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct open_start *s = &starts[START_LINE(tid)];

	if (!filter_passes())
		return 0;
	start_save(&s->tid, tid);
	s->ts_ns = bpf_ktime_get_ns();
	return 0;
}

/* When it began; 0 if that was not seen, or was lost. */
static __always_inline __u64 begun_ns(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct open_start *s = &starts[START_LINE(tid)];

	return start_take(&s->tid, tid) ? s->ts_ns : 0;
}

/* The access mode of an O_PATH descriptor means nothing. */
static __always_inline bool flags_match(__u64 flags)
{
	if (flags & wanted_flags)
		return true;
	return !(flags & O_PATH) && wanted_access >> (flags & O_ACCMODE) & 1;
}

static __always_inline bool wanted(const struct open_call *c, __s32 result)
{
	if (failed_only && result >= 0)
		return false;
	if (by_flags && !flags_match(c->how.flags))
		return false;
	if (by_uid && (__u32)bpf_get_current_uid_gid() != wanted_uid)
		return false;
	return filter_passes();
}

/* Where a relative name begins, and with RESOLVE_IN_ROOT an absolute one; left empty if there is no such descriptor. */
static __always_inline void fill_dir(struct path_names *dir, const struct open_call *c)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	char first;
	__u64 file;

	if (bpf_probe_read_user(&first, sizeof(first), (void *)c->name))
		return;
	if (first == '/' && !(c->how.resolve & RESOLVE_IN_ROOT))
		return;
	if (c->dirfd == AT_FDCWD) {
		path_fill(dir, (__u64)BPF_CORE_READ(task, fs, pwd.dentry),
			  mount_of((__u64)BPF_CORE_READ(task, fs, pwd.mnt)));
		return;
	}
	file = file_of(c->dirfd);
	if (file)
		path_of_file(dir, (void *)file);
}

static __always_inline void emit_open(struct open_event *e, const struct open_call *c)
{
	__u32 at = e->dir.bytes & (2 * PATH_BYTES - 1);
	long n = bpf_probe_read_user_str(e->dir.names + at, OPEN_NAME, (void *)c->name);

	e->unread = n < 0;
	if (n < 0 && e->result != -EFAULT) /* else there is none */
		count_loss(LOSS_NAME);
	if (n <= 0) { /* 5.10 gives 0 for an empty one */
		e->dir.names[at] = 0;
		n = 1;
	}
	emit_copy(e, offsetof(struct open_event, dir.names) + at + n, sizeof(*e));
}

static __always_inline int end_open(const struct open_call *c, __s32 result)
{
	__u64 pid_tgid, begun = timed ? begun_ns() : 0;
	struct open_event *e;

	if (!wanted(c, result))
		return 0;
	e = emit_scratch(&record);
	if (!e)
		return 0;
	e->ts_ns = bpf_ktime_get_ns();
	e->lat_ns = begun ? e->ts_ns - begun : 0;
	if (timed && e->lat_ns < min_lat_ns)
		return 0;
	pid_tgid = filter_pid_tgid();
	e->flags = c->how.flags;
	e->resolve = c->how.resolve;
	e->result = result;
	e->dirfd = c->dirfd;
	e->mode = c->how.mode;
	e->uid = bpf_get_current_uid_gid();
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	e->pad = 0;
	e->dir.bytes = 0;
	e->dir.whole = 0;
	if (full_path)
		fill_dir(&e->dir, c);
	emit_open(e, c);
	return 0;
}

SEC("fentry/do_sys_openat2") int open_begin__fentry(tp_ctx *ctx)
{
	return begin_open();
}

/* (dirfd, name, how) -> long, since 6.18 int */
SEC("fexit/do_sys_openat2") int open_end__fexit(tp_ctx *ctx)
{
	struct open_how *how = (void *)ctx[2];
	struct open_call c = {.dirfd = ctx[0], .name = ctx[1]};

	c.how.flags = how->flags;
	c.how.mode = how->mode;
	c.how.resolve = how->resolve;
	return end_open(&c, (__s32)ctx[3]);
}

TRACEPOINT(sys_enter, struct pt_regs *regs, long nr)
{
	return open_kind(nr) ? begin_open() : 0;
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	enum open_kind kind = open_kind(SYSCALL_NR(regs));
	struct open_call c;

	if (!kind)
		return 0;
	open_call_read(&c, kind, (__u64)regs);
	return end_open(&c, result);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
