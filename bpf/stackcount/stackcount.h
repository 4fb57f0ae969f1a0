/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What stackcount counts: hits of a probe by stack. An entry is those of an interval. */
#pragma once

#include <linux/types.h>

#include "lib/user/stack_wire.h"

#define PROBE_NAME_BYTES 64
#define CPUS 8192 /* no kernel has more */

/* A place that programs are attached to, by its number in the map `probes`, which is the cookie of the attachment. */
struct probe_name {
	char name[PROBE_NAME_BYTES]; /* empty: this kernel does not tell a program which of several it was */
};

struct call_key {
	__u64 stack; /* the key of `stacks`; 0: found no room */
	__u32 tgid;
	__u32 zero;
	char comm[16]; /* of the thread */
	struct probe_name probe;
};

struct call_count {
	__u64 count;
};

struct call_entry {
	__u64 from_ns, to_ns;
	struct call_count value;
	struct call_key key;
};

#ifdef __cplusplus
static_assert(sizeof(call_entry) == 120);
#endif
