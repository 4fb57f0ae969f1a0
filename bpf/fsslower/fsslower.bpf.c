// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads, writes, opens and fsyncs of files that took long: a record for each. Before the threshold a call costs a line in an
 * array and two loads, from which its end sees whether the task read from a device or waited.
 */
#include "core.h"

#include "fsslower.h"
#include "lib/core/emit.h"
#include "lib/fs/calls.h"
#include "lib/fs/path.h"

#define O_DSYNC 010000
#if defined(__TARGET_ARCH_arm64)
#define O_DIRECT 0200000
#else
#define O_DIRECT 040000
#endif
#define O_APPEND 02000
#define IOCB_DSYNC 2

const volatile bool whole_path = true;
const volatile __u32 page_shift = 12;

struct fsslower_record {
	EMIT_ROOM;
	struct fsslower_event event;
};

/* One for each program: a program may be interrupted by another one. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, FS_TYPES * FS_OPS);
	__type(key, __u32);
	__type(value, struct fsslower_record);
} records SEC(".maps");

struct task_counts {
	__u64 read_bytes;
	__u64 waits;
};

/* bpf_get_current_task_btf: 5.11 and later. Where devices' bytes are not counted, no call is a miss. */
static __always_inline void count_task(struct task_counts *n)
{
	struct task_struct *task;

	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf)) {
		task = (void *)bpf_get_current_task_btf();
		n->waits = task->nvcsw;
		if (bpf_core_field_exists(task->ioac.read_bytes))
			n->read_bytes = task->ioac.read_bytes;
		return;
	}
	task = (void *)bpf_get_current_task();
	n->waits = BPF_CORE_READ(task, nvcsw);
	if (bpf_core_field_exists(task->ioac.read_bytes))
		n->read_bytes = BPF_CORE_READ(task, ioac.read_bytes);
}

static __always_inline void fs_began(struct fs_start *s)
{
	struct task_counts n = {};

	count_task(&n);
	s->saved[0] = n.read_bytes;
	s->saved[1] = n.waits;
}

/* What is read of the call's file and kiocb, by loads where the verifier knows them: a probe read costs as much as ten. */
struct call_file {
	struct path_place place;
	__s64 pos;
	__u32 iocb_flags;
	__u32 dev;
};

static __always_inline void read_typed(struct call_file *f, struct kiocb *kiocb)
{
	struct file *file = kiocb->ki_filp;

	f->place.mnt = (__u64)file->f_path.mnt;
	f->place.dentry = (__u64)file->f_path.dentry;
	f->pos = kiocb->ki_pos;
	f->iocb_flags = kiocb->ki_flags;
	f->dev = file->f_inode->i_sb->s_dev;
}

static __always_inline void read_untyped(struct call_file *f, struct file *file, struct kiocb *kiocb)
{
	path_read_file(&f->place, file);
	f->dev = BPF_CORE_READ(file, f_inode, i_sb, s_dev);
	if (!kiocb)
		return;
	f->pos = BPF_CORE_READ(kiocb, ki_pos);
	f->iocb_flags = BPF_CORE_READ(kiocb, ki_flags);
}

/* O_DIRECT and O_DSYNC of this call: a file system that falls back to the page cache has cleared IOCB_DIRECT. */
static __always_inline __u32 open_flags(struct fs_start *s, struct fs_call *c, struct call_file *f)
{
	struct file *file = (void *)s->file;

	if (c->regs)
		return BPF_CORE_READ(file, f_flags);
	return (f->iocb_flags & IOCB_DIRECT ? O_DIRECT : 0) | (f->iocb_flags & IOCB_DSYNC ? O_DSYNC : 0);
}

/* Where those of a copy begin in the file that counts: its caller may have named a place, which the call moves on. */
static __always_inline __s64 copy_offset_of(struct fs_start *s, struct fs_call *c, __u64 moved)
{
	struct file *file = (void *)s->file;
	__u64 at = c->from ? syscall_arg(c->regs, 1) : syscall_arg(c->regs, 3);
	__s64 offset = -1;

	if (s->what & FS_OUT_FIRST)
		at = c->from ? syscall_arg(c->regs, 2) : 0;
	if (!at)
		return BPF_CORE_READ(file, f_pos) - moved;
	if (bpf_probe_read_user(&offset, sizeof(offset), (void *)at) || offset < 0)
		return -1;
	return offset - moved;
}

/* Where the bytes of a read or write begin; a call that did not move any tells where it tried to. */
static __always_inline __s64 offset_of(struct fs_start *s, struct fs_call *c, struct call_file *f)
{
	struct file *file = (void *)s->file;
	__u64 moved = c->result > 0 ? c->result : 0;
	__s64 at;

	if (c->op == FS_COPY)
		return copy_offset_of(s, c, moved);
	if (c->op > FS_WRITE || c->result == -EIOCBQUEUED)
		return -1;
	if (!c->regs)
		return f->pos - moved;
	if (!(s->what & FS_POSITIONED))
		return BPF_CORE_READ(file, f_pos) - moved;
	at = syscall_arg(c->regs, 3);
	if (at == -1 && s->what & FS_OR_POSITION)
		return BPF_CORE_READ(file, f_pos) - moved;
	if (at < 0)
		return -1;
	if (c->op == FS_WRITE && BPF_CORE_READ(file, f_flags) & O_APPEND)
		return BPF_CORE_READ(file, f_inode, i_size) - moved;
	return at;
}

/*
 * Did it read for later calls only? When a page is missing, readahead begins at it; when the caller comes to a page that was
 * read ahead, behind all that it wants.
 */
static __always_inline bool read_ahead(struct fs_start *s, __s64 offset, __s64 bytes)
{
	struct file *file = (void *)s->file;

	return BPF_CORE_READ(file, f_ra.start) > (__u64)(offset + bytes - 1) >> page_shift;
}

/* Of a write: CACHE_NONE if it went to the page cache. */
static __always_inline __u32 past_cache(struct fs_start *s, struct fs_call *c, struct call_file *f)
{
	__u32 flags = open_flags(s, c, f);
	bool durable = c->op == FS_WRITE && flags & O_DSYNC;

	if (flags & O_DIRECT)
		return durable ? CACHE_DIRECT_SYNC : CACHE_DIRECT;
	return durable ? CACHE_SYNC : CACHE_NONE;
}

static __always_inline __u32 served_by(struct fs_start *s, struct fs_call *c, struct call_file *f, __s64 offset)
{
	bool moves = c->op == FS_READ || c->op == FS_WRITE, waited, read;
	struct task_counts n = {};
	__u32 past;

	if (c->result < 0)
		return c->result == -EIOCBQUEUED ? CACHE_ASYNC : CACHE_FAILED;
	past = moves ? past_cache(s, c, f) : CACHE_NONE;
	if (past)
		return past;
	count_task(&n);
	read = n.read_bytes != s->saved[0] && c->op != FS_FSYNC;
	waited = n.waits != s->saved[1];
	if (read && !waited && c->op == FS_READ && read_ahead(s, offset, c->result))
		return CACHE_AHEAD;
	if (read)
		return CACHE_MISS;
	if (waited)
		return CACHE_WAIT;
	return c->op == FS_READ ? CACHE_HIT : c->op == FS_WRITE ? CACHE_CACHED : CACHE_NONE;
}

static __always_inline void name_file(struct path_names *p, struct path_place *place)
{
	if (whole_path) {
		path_fill(p, place->dentry, mount_of(place->mnt));
		return;
	}
	p->bytes = 0;
	p->whole = NAME_ONLY;
	path_add(p, place->dentry);
}

static __always_inline int fs_done(struct fs_start *s, struct fs_call *c)
{
	struct fsslower_record *record = bpf_map_lookup_elem(&records, &c->slot);
	struct fsslower_event *e;
	struct call_file f = {};
	__u64 pid_tgid;

	if (!record)
		return 0;
	e = &record->event;
	if (c->kiocb)
		read_typed(&f, (void *)c->kiocb);
	else
		read_untyped(&f, (void *)s->file, (void *)s->kiocb);
	pid_tgid = filter_pid_tgid();
	e->ts_ns = s->ts_ns;
	e->lat_ns = c->lat_ns;
	e->offset = offset_of(s, c, &f);
	e->result = c->result;
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	e->op = c->op;
	e->fs = c->fs;
	e->cache = served_by(s, c, &f, e->offset);
	e->dev = f.dev;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	name_file(&e->path, &f.place);
	emit_copy(e, offsetof(struct fsslower_event, path.names) + e->path.bytes, sizeof(*e));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
