/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Contexts of iterators: include/linux/bpf.h, kernel/bpf/task_iter.c */
#pragma once

#include "core.h"

struct task_struct;

struct bpf_iter_meta {
	void *seq;
	__u64 session_id; /* another one for each file that is read */
	__u64 seq_num;
} CORE;

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task; /* NULL after the last one */
} CORE;
