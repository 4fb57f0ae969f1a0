// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tracepoints and functions that no kernel has; a program is not loaded where its own is missing, whatever it reads. */
#include "case.h"

struct file {
	int f_old_size;
} CORE;

SEC("tp_btf/opened_old") int only_old(struct file **ctx)
{
	struct file *file = *ctx;

	result += BPF_CORE_READ(file, f_old_size);
	return 0;
}

SEC("fentry/vfs_open") int opened(void *ctx)
{
	return 0;
}

SEC("raw_tp/openend") int misspelt(void *ctx) /* expect: no kernel has the tracepoint openend */
{
	return 0;
}

SEC("fexit/vfs_opne") int misspelt_too(void *ctx) /* expect: no kernel has the function vfs_opne */
{
	return 0;
}

SEC("fentry") int target_comes_later(void *ctx)
{
	return 0;
}
