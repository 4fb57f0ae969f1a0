/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The system-call stage by tracepoints: descriptor, position, size from the registers. */
#pragma once

#include "calls.h"
#include "compat.h"
#include "core.h"
#include "follow.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "syncs.h"

const volatile __u8 calls[512];	 /* follow_call of each system call number */
__u64 n_submits; /* system calls that may have begun writes which are not seen */

#define O_APPEND 02000
#define O_DSYNC 010000
#define O_DIRECT_x86 040000
#define O_DIRECT_arm64 0200000
#if defined(__TARGET_ARCH_arm64)
#define O_DIRECT O_DIRECT_arm64
#else
#define O_DIRECT O_DIRECT_x86
#endif
#define IOVEC_PART 32 /* squared, the most iovecs of a call */
#define IOVEC_END (1ULL << 63)

static __always_inline __u32 flags_of_file(struct file *file)
{
	__u32 f = BPF_CORE_READ(file, f_flags);

	if (fsyncing)
		return 0;
	if (reading)
		return f & O_DIRECT ? CALL_DIRECT : 0;
	return (f & O_APPEND ? CALL_APPEND : 0) | (f & O_DIRECT ? CALL_DIRECT : 0) |
	       (f & O_DSYNC ? CALL_SYNC : 0);
}

/* Of IOVEC_PART entries at most, with IOVEC_END after the last one or one that cannot be read. */
__noinline __u64 iovec_part(__u64 iov, __u64 n)
{
	__u64 bytes = 0, entry[2];
	__u32 i;

	for (i = 0; i < IOVEC_PART; i++) {
		if (i >= n || bpf_probe_read_user(entry, sizeof(entry), (void *)(iov + i * sizeof(entry))))
			return bytes | IOVEC_END;
		bytes += entry[1];
	}
	return bytes & ~IOVEC_END;
}

__noinline __u64 iovec_bytes(__u64 iov, __u64 n)
{
	__u64 bytes = 0, part;
	__u32 i;

	for (i = 0; i < IOVEC_PART * IOVEC_PART; i += IOVEC_PART) {
		part = iovec_part(iov + i * 16, n - i);
		bytes += part & ~IOVEC_END;
		if (part & IOVEC_END)
			break;
	}
	return bytes;
}

/* The descriptor that is written to, or read from. */
static __always_inline __u32 fd_of_call(__u64 regs, __u32 call)
{
	if (reading)
		return call == CALL_SENDFILE ? syscall_arg(regs, 1) : syscall_arg(regs, 0);
	return call == CALL_SPLICE ? syscall_arg(regs, 2) : syscall_arg(regs, 0);
}

/* Where the position is, of the calls that take it by address; 0: it is the file's. */
static __always_inline __u64 address_of_pos(__u64 regs, __u32 call)
{
	if (reading)
		return call == CALL_SENDFILE ? syscall_arg(regs, 2) :
		       call == CALL_SPLICE   ? syscall_arg(regs, 1) :
					       0;
	return call == CALL_SPLICE ? syscall_arg(regs, 3) : 0;
}

__noinline int begin_syscall(__u64 regs, __u32 nr, __u32 call)
{
	__u64 pos = 0, len = syscall_arg(regs, 2), file, at = address_of_pos(regs, call);
	__u32 flags = 0, more;

	file = file_of(fd_of_call(regs, call));
	if (!file || is_compat_syscall())
		return 0;
	flags = flags_of_file((void *)file);
	if (call == CALL_WRITEV || call == CALL_PWRITEV || call == CALL_PWRITEV2)
		len = iovec_bytes(syscall_arg(regs, 1), len);
	else if (call == CALL_SENDFILE)
		len = syscall_arg(regs, 3);
	else if (call == CALL_SPLICE)
		len = syscall_arg(regs, 4);
	else if (call == CALL_FSYNC)
		return begin_call(file, 0, FILE_END, nr << 16, 0);
	if (call == CALL_PWRITE || call == CALL_PWRITEV || call == CALL_PWRITEV2) {
		pos = syscall_arg(regs, 3);
		flags |= CALL_POSITIONED;
	}
	if (call == CALL_PWRITEV2) {
		more = syscall_arg(regs, 5);
		if ((__s64)pos == -1)
			flags &= ~CALL_POSITIONED;
		if (!reading)
			flags |= (more & IOCB_APPEND ? CALL_APPEND : 0) |
				 (more & (IOCB_DSYNC | IOCB_SYNC) ? CALL_SYNC : 0);
	}
	if (at) {
		bpf_probe_read_user(&pos, sizeof(pos), (void *)at);
		flags |= CALL_POSITIONED;
	}
	if (!(flags & CALL_POSITIONED))
		pos = BPF_CORE_READ((struct file *)file, f_pos);
	if (reading)
		flags |= CALL_NUMBERED;
	return begin_call(file, pos, len, flags | nr << 16, 0);
}

/* Where the bytes ended: the file's position moved there, or the argument says it. */
__noinline int end_syscall(__s64 ret, __u32 nr)
{
	__u32 tid = current_tid();
	struct call *c = bpf_map_lookup_elem(&calls_active, &tid);
	struct file *file;
	__u64 end;

	if (!c)
		return 0;
	if (c->nr != nr)
		return abandon_call();
	file = (void *)c->file;
	if (!(c->flags & CALL_POSITIONED))
		end = BPF_CORE_READ(file, f_pos);
	else if (c->flags & CALL_APPEND)
		end = BPF_CORE_READ(file, f_inode, i_size);
	else
		end = c->lo + ret;
	if (ret > 0 && end - ret != c->lo &&
	    (!(c->flags & CALL_APPEND) || c->flags & CALL_POSITIONED))
		c->flags |= CALL_UNSURE;
	return end_call(ret, end);
}

__noinline int sync_syscall(__u64 regs, __u32 nr)
{
	__u64 file = file_of(syscall_arg(regs, 0));

	if (!file || is_compat_syscall())
		return 0;
	return begin_sync((__u64)BPF_CORE_READ((struct file *)file, f_mapping), 0, FILE_END, nr);
}

__noinline int count_submit(__u64 regs)
{
	if (sampling && syscall_arg(regs, 1) && filter_passes())
		__sync_fetch_and_add(&n_submits, 1);
	return 0;
}

#define FALLOC_FL_PUNCH_HOLE 0x02
#define FALLOC_FL_ZERO_RANGE 0x10
#define FALLOC_FL_WRITE_ZEROES 0x80

/* A call that succeeded. What it cuts out of a page, or of a large folio, no drop tells. */
__noinline int emit_fallocate(__u64 file, __u32 mode, __u64 pos, __u64 len)
{
	struct follow_hop *h;

	if (!(mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE | FALLOC_FL_WRITE_ZEROES)))
		return 0;
	h = new_hop(HOP_FALLOCATE);
	if (!h)
		return 0;
	h->mapping = (__u64)BPF_CORE_READ((struct file *)file, f_mapping);
	h->lo = pos;
	h->hi = pos + len;
	emit_submit(h, sizeof(*h));
	return 0;
}

static __always_inline __u32 dev_of_file(__u64 file)
{
	return BPF_CORE_READ((struct file *)file, f_inode, i_sb, s_dev);
}

/* sync() and syncfs(): kind is HOP_SYNC_ENTER or HOP_SYNC_LEAVE. */
__noinline int sync_fs_syscall(__u64 regs, __u32 nr, __u32 kind)
{
	__u64 file;

	if (is_compat_syscall())
		return 0;
	if (calls[nr & 511] == CALL_SYNC_ALL)
		return emit_sync_fs(kind, 0, nr, 0);
	file = file_of(syscall_arg(regs, 0));
	return file ? emit_sync_fs(kind, dev_of_file(file), nr, 0) : 0;
}

/* The end, with success, of a call that is no write: what it proves, and what it cut. */
__noinline int end_other_syscall(__u64 regs)
{
	__u32 nr = syscall_nr(regs), call = calls[nr & 511];
	__u64 file;

	if (call == CALL_SYNC_ALL || call == CALL_SYNC_FS)
		return sync_fs_syscall(regs, nr, HOP_SYNC_LEAVE);
	if (call != CALL_FALLOCATE || is_compat_syscall())
		return 0;
	file = file_of(syscall_arg(regs, 0));
	return file ? emit_fallocate(file, syscall_arg(regs, 1), syscall_arg(regs, 2), syscall_arg(regs, 3)) : 0;
}
