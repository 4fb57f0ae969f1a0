// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The name is right and the type is not: libbpf would load these, and the values would be wrong. */
#include "case.h"

struct page;

struct file {
	__u32 f_flags;
	struct page *f_head;
	int f_owner;
	__u64 f_ready;
	char f_name[16];
	long f_count;
} CORE;

SEC("raw_tp/opened") int mistyped(struct file **ctx)
{
	struct file *file = *ctx;
	char name[16];

	result += BPF_CORE_READ(file, f_flags); /* expect: kernel new: struct file.f_flags is read as unsigned int (4 bytes) and is unsigned long long (8 bytes) */
	result += (__u64)BPF_CORE_READ(file, f_head); /* expect: kernel new: struct file.f_head is read as struct page * and is struct folio * */
	result += BPF_CORE_READ(file, f_owner); /* expect: kernel new: struct file.f_owner is read as int and is unsigned int */
	result += BPF_CORE_READ(file, f_ready); /* expect: kernels old new: struct file.f_ready is a bit field there and not here */
	result += BPF_CORE_READ(file, f_count); /* expect: kernels old new: struct file.f_count is read as long (8 bytes) and is unsigned int (4 bytes) */
	BPF_CORE_READ_INTO(&name, file, f_name); /* expect: kernel new: struct file.f_name is read as char[16] (16 bytes) and is char[8] (8 bytes) */
	result += name[3];
	return 0;
}
