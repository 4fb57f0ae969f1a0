// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The sizes of reads, writes and copies. At its end a system call still knows its number and arguments: one program does. */
#include "fs.h"
#include "task.h"

#include "compat.h"
#include "iosize.h"
#include "lib/core/filter.h"
#include "lib/core/hist.h"
#include "lib/core/table.h"
#include "lib/core/tracepoint.h"

#define S_IFMT 0170000

const volatile __u8 call_flags[IOSIZE_CALLS];
const volatile __u32 by = IOSIZE_BY_CALL;
const volatile __u32 sizes_of = IOSIZE_RETURNED;
const volatile __u32 file_type; /* S_IF* of the file; 0: any */
const volatile bool total;      /* instead of histograms */

struct call_slot {
	__u32 call, slot;
};

HIST_BY(calls, struct call_slot, 8192);
HIST_BY(processes, struct iosize_key, 65536);
TABLE(totals, struct iosize_key, struct iosize_total, 16384);

static __always_inline __u32 flags_of(__u64 nr)
{
	if (nr >= IOSIZE_CALLS)
		return 0;
	asm volatile("" : "+r"(nr)); /* or the compiler saves the mask, which the verifier wants to see */
	return call_flags[nr & (IOSIZE_CALLS - 1)];
}

static __always_inline bool has_type(__u32 fd)
{
	struct file *file = (void *)file_of(fd);

	return file && (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) == file_type;
}

/* A copy is of what it reads and of what it writes. */
static __always_inline bool is_of_type(__u64 regs, __u32 flags)
{
	if (has_type(syscall_arg(regs, 0)))
		return true;
	if (!(flags & IOSIZE_COPYING))
		return false;
	return has_type(flags & IOSIZE_OUT_FIRST ? syscall_arg(regs, 1) : syscall_arg(regs, 2));
}

static __always_inline __s64 requested_size(__u64 regs, __u32 flags)
{
	if (!(flags & IOSIZE_COPYING))
		return syscall_arg(regs, 2);
	return flags & IOSIZE_OUT_FIRST ? syscall_arg(regs, 3) : syscall_arg(regs, 4);
}

/* The size to count; negative: none. */
static __always_inline __s64 size_of(__u64 regs, __u32 flags, __s64 result)
{
	__s64 requested;

	if (sizes_of == IOSIZE_RETURNED)
		return result;
	if (sizes_of == IOSIZE_FAILED && result >= 0)
		return -1;
	requested = requested_size(regs, flags);
	if (sizes_of == IOSIZE_SHORT && (result < 0 || result >= requested))
		return -1;
	return requested;
}

static __always_inline void add_total(const struct iosize_key *key, __u64 size)
{
	const struct iosize_total zero = {};
	struct iosize_total *sum = table_find(&totals, key, &zero);

	if (!sum)
		return;
	__sync_fetch_and_add(&sum->calls, 1);
	__sync_fetch_and_add(&sum->bytes, size);
}

static __always_inline void count(__u32 call, __u64 size)
{
	struct iosize_key key = {.call = call};

	if (!total)
		key.slot = hist_slot(size);
	if (!total && by != IOSIZE_BY_PROCESS) {
		hist_add_by(&calls, &key, size);
		return;
	}
	key.tgid = filter_pid_tgid() >> 32;
	bpf_get_current_comm(key.comm, sizeof(key.comm));
	if (total)
		add_total(&key, size);
	else
		hist_add_by(&processes, &key, size);
}

static __always_inline __u64 kind_of(__u32 flags)
{
	if (flags & IOSIZE_COPYING)
		return IOSIZE_COPIES;
	return flags & IOSIZE_WRITING ? IOSIZE_WRITES : IOSIZE_READS;
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	__u64 nr = LOAD_SYSCALL_NR(regs);
	__u32 flags = flags_of(nr);
	__s64 size;

	if (!flags || !filter_passes())
		return 0;
	if (is_compat_syscall()) {
		if (flags & IOSIZE_32BIT)
			count_loss(LOSS_32BIT);
		return 0;
	}
	if (!(flags & IOSIZE_WANTED))
		return 0;
	size = size_of((__u64)regs, flags, result);
	if (size < 0 || (file_type && !is_of_type((__u64)regs, flags)))
		return 0;
	if (by == IOSIZE_BY_KIND)
		nr = kind_of(flags);
	count(nr, size);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
