/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables by which a stack is walked without frame pointers: what user space makes of .eh_frame (src/unwind), and what programs
 * look up. From a row's address to that of the next one its rule says where the caller's registers are: of x86-64 rsp (SP), rbp
 * (FP) and the return address, which lies below the frame; of arm64 sp, x29 and x30.
 */
#pragma once

#include <linux/types.h>

enum unwind_cfa { /* where the frame begins: above the return address */
	UNWIND_NONE, /* nothing is known here */
	UNWIND_UNSUPPORTED, /* what is known cannot be said by a rule */
	UNWIND_END, /* the outermost function: it has no caller */
	UNWIND_SIGNAL, /* the kernel's frame of a signal: registers are in it */
	UNWIND_SP, /* SP + cfa_offset */
	UNWIND_FP, /* FP + cfa_offset */
	UNWIND_SP_LOAD, /* *(SP + cfa_offset) + cfa_added */
	UNWIND_FP_LOAD, /* *(FP + cfa_offset) + cfa_added */
	UNWIND_SP_RDI, /* SP + cfa_offset, and the return address is in rdi, as in vfork(), whose child shares the stack */
	UNWIND_PLT, /* SP + 8, and 8 more from byte cfa_added of each 16 on */
};

enum unwind_fp { /* the caller's FP */
	UNWIND_FP_SAME,
	UNWIND_FP_AT_CFA, /* *(cfa + fp_offset) */
	UNWIND_FP_AT_FP, /* *(FP + fp_offset) */
	UNWIND_FP_LOST,
};

struct unwind_rule {
	__u8 cfa;
	__u8 fp;
	union {
		__s16 cfa_added;
		__s16 return_offset; /* of arm64: the return address is *(cfa + return_offset); 0: it is in x30 */
	};
	__s32 cfa_offset;
	__s32 fp_offset;
};

enum {
	UNWIND_PAGE_SHIFT = 16, /* a page has the rows of 64 KiB of text */
	UNWIND_RULES = 16384, /* of all files; 1,500 programs and libraries have 4,171 */
	UNWIND_ROWS = 16384, /* of a page at most; 4,539 were seen */
	UNWIND_RULE_NONE = 0,
	UNWIND_RULE_UNSUPPORTED = 1,
};

/* A row is one number, so that rows are ordered as numbers are. */
#define UNWIND_ROW(address, rule) ((__u32)((address) & 0xffff) << 16 | (rule))
#define UNWIND_ROW_AT(row) ((row) >> 16)
#define UNWIND_ROW_RULE(row) ((row) & 0xffff)

struct unwind_page {
	__u32 first; /* of its rows */
	__u32 rows;
	__u32 before; /* the rule up to the first row */
};

#ifdef __cplusplus
static_assert(sizeof(unwind_rule) == 12 && sizeof(unwind_page) == 12);
#endif
