/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs that are executed: include/linux/binfmts.h, mm_types.h */
#pragma once

#include "core.h"
#include "mm.h"

struct file;

struct linux_binprm {
	struct file *file;    /* what runs: of a script, the interpreter */
	const char *filename; /* as the caller gave it; /dev/fd/N[/PATH] of execveat */
	const char *interp;   /* the same pointer, unless an interpreter runs it */
} CORE;
