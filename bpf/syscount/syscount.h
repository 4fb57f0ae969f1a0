/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What syscount counts: an entry is the calls of one number, process or error in an interval. */
#pragma once

#include <linux/types.h>

enum { SYSCOUNT_BY_CALL, SYSCOUNT_BY_PROCESS, SYSCOUNT_BY_BOTH, SYSCOUNT_BY_ERROR, SYSCOUNT_BY_THREAD };

/* A call is its number; of a 32-bit call, more. What the number of a call that ended with none was, nobody knows. */
enum {
	SYSCOUNT_OTHER = 510,	 /* a number that is nobody's */
	SYSCOUNT_RESTORED = 511, /* none: rt_sigreturn restores the registers of another moment */
	SYSCOUNT_32BIT = 512,
	SYSCOUNT_CALLS = 1024,
	SYSCOUNT_ANY = 1024, /* by process or thread */
};

struct syscount_key {
	char comm[16] __attribute__((aligned(8))); /* the process's; by thread its own */
	__u32 call;
	__u32 error; /* by error */
	__u32 tgid;  /* by process, both or thread */
	__u32 tid;   /* by thread */
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
};

#ifdef __cplusplus
static_assert(sizeof(syscount_entry) == 80, "no padding");
#endif
