// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A field that one kernel lacks, one that both lack, an element beyond the end. */
#include "case.h"

struct inode {
	__u32 i_generation;
	__u32 i_generatoin;
} CORE;

struct file {
	struct inode *f_inode;
	char f_name[16];
} CORE;

SEC("raw_tp/opened") int missing(struct file **ctx)
{
	struct file *file = *ctx;
	struct inode *inode = BPF_CORE_READ(file, f_inode);

	result += BPF_CORE_READ(inode, i_generation); /* expect: kernel old: struct inode has no field i_generation */

	result += BPF_CORE_READ(inode, i_generatoin); /* expect: kernels old new: struct inode has no field i_generatoin */

	result += BPF_CORE_READ(file, f_name[12]); /* expect: kernel new: struct file has no field f_name[12] */
	return 0;
}
