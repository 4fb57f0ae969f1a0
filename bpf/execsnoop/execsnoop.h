/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What execsnoop sends to user space. */
#pragma once

#include <linux/types.h>

#define EXEC_NAME 4096	/* of a file, and of an interpreter: PATH_MAX */
#define EXEC_PATH 2048	/* of a directory's or file's names; less are collected (lib/fs/path_names.h) */
#define EXEC_ARGS 16384 /* the most that --max-args permits */
#define EXEC_TEXT (2 * EXEC_NAME + 2 * EXEC_PATH + EXEC_ARGS)

enum exec_kind {
	EXEC_DONE,   /* a program begins */
	EXEC_FAILED, /* exec returned an error */
	EXEC_ENDED,  /* the process of the program of since_ns exits */
};

enum exec_loss {
	EXEC_LOSS_ENDS = 4, /* LOSS_TOOL */
	EXEC_LOSS_32_BIT,
};

struct exec_event {
	__u64 ts_ns;	/* CLOCK_MONOTONIC */
	__u64 since_ns; /* ts_ns of the program that ends here, in the same process; or 0 */
	__u64 cgroup;
	__u64 args_total; /* bytes; of a failed call 0 */
	__u32 kind;	  /* enum exec_kind */
	__u32 waits;	  /* its end comes as a record */
	__u32 tgid;
	__u32 tid; /* that called; it becomes tgid */
	__u32 ppid;
	__u32 uid;
	__u32 gid;
	__u32 cpu;
	__s32 error;	 /* of a failed call, negative */
	__s32 dirfd;	 /* of a failed execveat; else AT_FDCWD */
	__u32 exit_code; /* of what ends, as wait(2) has it */
	__u32 args_cut;	 /* of a failed call: there are more, or they could not be read */
	/* Parts of the text, in this order. */
	__u32 file_bytes;
	__u32 interp_bytes; /* 0: the file itself runs */
	__u32 cwd_bytes;    /* names as in struct path_names */
	__u32 cwd_whole;
	__u32 exe_bytes;
	__u32 exe_whole;
	__u32 exe_deleted; /* no name leads to it any more */
	__u32 args_bytes; /* each argument with its NUL */
	char comm[16];
	char parent[16];
	char text[EXEC_TEXT];
};

#define EXEC_HEADER offsetof(struct exec_event, text)

#ifdef __cplusplus
static_assert(sizeof(exec_event) == 8 * 4 + 4 * 20 + 32 + EXEC_TEXT && sizeof(exec_event) <= 32768);
#endif
