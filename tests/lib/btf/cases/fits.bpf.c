// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What both kernels have: wherever it is, in whatever unnamed struct, as whatever typedef. */
#include "case.h"

struct inode {
	const __u64 i_ino;
} CORE;

typedef __s64 position;

struct file {
	struct inode *f_inode;
	position f_pos;
	unsigned int f_ready : 1;
	__u32 f_count;
	char f_name[4];
	void *f_head;
} CORE;

SEC("raw_tp/opened") int fits(struct file **ctx)
{
	struct file *file = *ctx;

	result += BPF_CORE_READ(file, f_inode, i_ino) + BPF_CORE_READ(file, f_pos);
	result += BPF_CORE_READ(file, f_count) + BPF_CORE_READ(file, f_name[2]);
	result += BPF_CORE_READ_BITFIELD_PROBED(file, f_ready) + (__u64)BPF_CORE_READ(file, f_head);
	return bpf_core_type_size(struct file);
}
