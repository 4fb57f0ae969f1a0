/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stacks by value, and what lib/user/stack.h knows of processes. Shared by both sides (src/subsys/stacks.h). */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"
#include "lib/user/unwind_wire.h"

enum {
	STACK_USER_FRAMES = 128,
	STACK_KERNEL_FRAMES = 64,
	STACK_CHUNKS = 192, /* of 16,384 rows: 12 MiB; everything that runs on a server took 2 */
	STACK_PAGES = 1 << 16, /* 4 GiB of text */
	STACK_MAPPINGS = 1 << 14, /* of all processes; a power of two */
	STACK_PROCESSES = 4096,
	STACK_FILES = 4096, /* a power of two; a workstation has 1,522 programs and libraries in all */
};

enum stack_end { /* why the user part ends where it does */
	STACK_WHOLE, /* its last function has no caller, or there is no user part */
	STACK_NO_PROCESS, /* nothing is known of the process, yet */
	STACK_NO_MAPPING, /* an address that no mapping has, yet */
	STACK_NO_ROW, /* code of which its file says nothing */
	STACK_UNSUPPORTED,
	STACK_UNREADABLE, /* memory of the stack */
	STACK_DEEP, /* more frames than there is room for */
	STACK_NARROW, /* a 32-bit program */
	STACK_ASLEEP, /* of a task that went to sleep before the run began: its memory is another one's to read */
	STACK_ENDS,
};

/*
 * A frame is an address, or, where the kernel was asked what is mapped there, a file's number and the address as the file
 * says it, which no process has to be known for.
 */
#define STACK_GUESS (1ULL << 63) /* that it is the caller is a guess */
#define STACK_OF_FILE (1ULL << 62)
#define STACK_FILE_SHIFT 48
#define STACK_FRAME_OF_FILE(number, address)                                                      \
	(STACK_OF_FILE | (__u64)(number) << STACK_FILE_SHIFT | ((address) & ((1ULL << STACK_FILE_SHIFT) - 1)))

#ifdef WITH_STACKS
#define LOSS_OF_STACKS LOSS_EVENT_STACK
#else
#define LOSS_OF_STACKS LOSS_TOOL
#endif

enum loss_of_stacks { /* the first ones of a tool that has stacks */
	LOSS_STACK = LOSS_OF_STACKS, /* found no room, or has another one's hash */
	LOSS_STACK_REQUEST, /* to user space */
	LOSS_STACK_CUT = LOSS_STACK_REQUEST, /* + enum stack_end, from 1 on */
	LOSS_STACK_SAME = LOSS_STACK_CUT + (int)STACK_ENDS, /* none, but the account of a test: stack_walks_twice */
	LOSS_STACK_OTHER,
	LOSS_STACK_TOOL, /* the first of the tool's own */
};

struct stack {
	__u32 process; /* its number, as user space gave it */
	__u32 end; /* enum stack_end */
	__u32 user_frames;
	__u32 kernel_frames;
	__u64 user[STACK_USER_FRAMES]; /* frames, the innermost first; of a call the last byte of its instruction */
	__u64 kernel[STACK_KERNEL_FRAMES];
};

/* What a process runs: a range of unwind_mappings, in the order of their addresses. */
struct stack_process {
	__u64 requested_ns; /* when user space was told that something is missing */
	__u32 number;
	__u32 first;
	__u32 mappings;
	__u32 zero;
};

struct stack_mapping {
	__u64 from, to;
	__u64 bias; /* what to take from an address to have it as the file says it */
	__u32 page; /* the index of the page 0 of the file, modulo 2^32 */
	__u32 tables; /* 0: no rows, so frame pointers */
};

struct stack_file_id { /* as the kernel has it */
	__u64 ino;
	__u32 dev;
	__u32 zero;
};

struct stack_file {
	__u64 bias; /* what to take from an offset in the file to have the address as the file says it */
	__u32 page; /* the index of its page 0, as in stack_mapping */
	__u32 tables;
	__u32 number; /* below STACK_FILES */
	__u32 zero;
};

struct stack_page {
	__u32 chunk;
	struct unwind_page page;
};

struct stack_chunk {
	__u32 rows[UNWIND_ROWS];
};

/* To user space: this process is new, or has something that is not known. */
struct stack_request {
	__u32 tgid;
	__u32 began; /* a program */
};

#ifdef __cplusplus
static_assert(sizeof(stack) == 16 + 8 * (STACK_USER_FRAMES + STACK_KERNEL_FRAMES));
static_assert(sizeof(stack_process) == 24 && sizeof(stack_mapping) == 32 && sizeof(stack_page) == 16);
static_assert(sizeof(stack_file_id) == 16 && sizeof(stack_file) == 24);
#endif
