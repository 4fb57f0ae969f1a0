/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What syscount counts: an entry is the calls of one number, process or error in an interval. */
#pragma once

#include <linux/types.h>

enum { SYSCOUNT_BY_CALL, SYSCOUNT_BY_PROCESS, SYSCOUNT_BY_BOTH, SYSCOUNT_BY_ERROR };

/* A call is its number; of a 32-bit call, more. What the number of a call that ended with none was, nobody knows. */
enum {
	SYSCOUNT_OTHER = 510,	 /* a number that is nobody's */
	SYSCOUNT_RESTORED = 511, /* none: rt_sigreturn restores the registers of another moment */
	SYSCOUNT_32BIT = 512,
	SYSCOUNT_CALLS = 1024,
	SYSCOUNT_ANY = 1024, /* by process */
};

struct syscount_key {
	__u32 call;
	__u32 error; /* by error */
	__u32 tgid;  /* by process, or both */
	char comm[16];
};

struct syscount_count {
	__u64 calls;
	__u64 errors;
	__u64 time_ns; /* with their time only */
	__u64 untimed; /* calls whose beginning was not seen */
};

struct syscount_entry {
	__u64 from_ns, to_ns;
	struct syscount_count value;
	struct syscount_key key;
	__u32 zero;
};

#ifdef __cplusplus
static_assert(sizeof(syscount_entry) == 80, "no padding");
#endif
