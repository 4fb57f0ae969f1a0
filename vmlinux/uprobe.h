/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of user space that are traced: include/linux/uprobes.h */
#pragma once

#include "core.h"

/* Of a function whose end is traced, and in which the task is. */
struct return_instance {
	unsigned long stack; /* where its return address was, and a trampoline's is now */
	unsigned long orig_ret_vaddr;
	struct return_instance *next; /* further out */
} CORE;

struct uprobe_task {
	struct return_instance *return_instances; /* the innermost first */
} CORE;
