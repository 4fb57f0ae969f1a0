// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The programs of part dd of scripts/bench: on the write of `dd bs=512`, by each kind of hook, one that does nothing and
 * one that counts the size in a map by its logarithm, as the examples of the first BPF tracing did.
 */
#include <linux/bpf.h>
#include <stddef.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define PT_REGS_WRITE 1 /* the system call */

struct pt_regs {
	unsigned long dx;
} __attribute__((preserve_access_index));

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} sizes SEC(".maps");

static __always_inline int count(__u64 size)
{
	__u32 log2 = 0, value = size;
	__u64 *slot;

	if (value >> 16)
		log2 += 16;
	if (value >> (log2 + 8))
		log2 += 8;
	if (value >> (log2 + 4))
		log2 += 4;
	if (value >> (log2 + 2))
		log2 += 2;
	if (value >> (log2 + 1))
		log2 += 1;
	slot = bpf_map_lookup_elem(&sizes, &log2);
	if (slot)
		__sync_fetch_and_add(slot, 1);
	return 0;
}

struct sys_enter_write {
	__u64 common;
	long nr;
	__u64 fd, buffer, count;
};

#define EMPTY(name, section)                                                                       \
	SEC(section) int name##_empty(__u64 *ctx)                                                  \
	{                                                                                          \
		return 0;                                                                          \
	}

#define LOG2(name, section, size)                                                                  \
	SEC(section) int name##_log2(__u64 *ctx)                                                   \
	{                                                                                          \
		return count(size);                                                                \
	}

#define LOG2_OF_WRITE(name, section, size)                                                         \
	SEC(section) int name##_log2(__u64 *ctx)                                                   \
	{                                                                                          \
		struct pt_regs *regs = (void *)ctx[0];                                             \
                                                                                                   \
		return ctx[1] == PT_REGS_WRITE ? count(size) : 0;                                  \
	}

EMPTY(tp, "tracepoint/syscalls/sys_enter_write")
EMPTY(raw, "raw_tp/sys_enter")
EMPTY(btf, "tp_btf/sys_enter")
EMPTY(fentry, "fentry/vfs_write")
EMPTY(fexit, "fexit/vfs_write")
EMPTY(kprobe, "kprobe/vfs_write")
EMPTY(kretprobe, "kretprobe/vfs_write")
LOG2(tp, "tracepoint/syscalls/sys_enter_write", ((struct sys_enter_write *)ctx)->count)
LOG2_OF_WRITE(raw, "raw_tp/sys_enter", BPF_CORE_READ(regs, dx))
LOG2_OF_WRITE(btf, "tp_btf/sys_enter", regs->dx)
LOG2(fentry, "fentry/vfs_write", ctx[2])
LOG2(kprobe, "kprobe/vfs_write", ctx[12]) /* rdx */

char LICENSE[] SEC("license") = "Dual BSD/GPL";
