/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The operations of lib/fs/calls.h, and its loss. Shared by both sides. */
#pragma once

#include "lib/core/loss.h"

/* The file systems are numbered as in the table of src/kern/file_system.cpp. */
#define FS_TYPES 10

enum fs_op {
	FS_READ,
	FS_WRITE,
	FS_OPEN,
	FS_FSYNC,
	FS_COPY, /* from file to file, pipe or socket in the kernel: copy_file_range, sendfile, splice */
	FS_OPS,
};

/* Beside an fs_op, of a system call: */
#define FS_OP_MASK 0x0f
#define FS_OUT_FIRST 0x10   /* its first argument is what it copies to, the second from where; else the third and the first */
#define FS_OR_POSITION 0x20 /* the offset -1 stands for the file's position */
#define FS_POSITIONED 0x40  /* the fourth argument is the offset */
#define FS_32BIT 0x80       /* alone, or as well: the number is that of such a call of 32-bit programs */

#define FS_COPY_CALLS 3

enum fs_loss {
	LOSS_FS_RETURN = LOSS_TOOL, /* a kretprobe that the kernel had no room for */
	LOSS_FS_CLOSED,		    /* the descriptor was closed during the call: its file is not known */
	LOSS_FS_32BIT,		    /* a 32-bit program's system call: its arguments are not read */
	LOSS_FS_NEXT,
};
