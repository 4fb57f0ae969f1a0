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
	FS_OPS,
};

#define FS_POSITIONED 0x40 /* beside an fs_op: a system call whose fourth argument is the offset */

enum fs_loss {
	LOSS_FS_RETURN = LOSS_TOOL, /* a kretprobe that the kernel had no room for */
	LOSS_FS_CLOSED,		    /* the descriptor was closed during the call: its file is not known */
	LOSS_FS_NEXT,
};
