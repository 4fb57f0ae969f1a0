// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A struct that one kernel lacks, and one of a flavour: its name is the part before the flavour. */
#include "case.h"

struct folio {
	unsigned long index;
} CORE;

struct dentry___5_10 {
	void *d_inode;
} CORE;

SEC("raw_tp/opened") int missing(void **ctx)
{
	struct folio *folio = ctx[0];
	struct dentry___5_10 *dentry = ctx[1];

	result += BPF_CORE_READ(folio, index); /* expect: kernel old: there is no struct folio */

	result += (__u64)BPF_CORE_READ(dentry, d_inode); /* expect: kernels old new: there is no struct dentry */

	result += bpf_core_type_size(struct folio); /* expect: kernel old: there is no struct folio */
	return 0;
}
