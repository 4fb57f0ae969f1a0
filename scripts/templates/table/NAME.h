/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What TOOL_NAME counts: an entry is a process in an interval, as user space reads and records it. */
#pragma once

#include <linux/types.h>

struct TOOL_NAME_key {
	__u32 tgid;
	__u32 zero;
	char comm[16];
};

struct TOOL_NAME_count {
	__u64 execs;
};

struct TOOL_NAME_entry {
	__u64 from_ns, to_ns;
	struct TOOL_NAME_count value;
	struct TOOL_NAME_key key;
};

#ifdef __cplusplus
static_assert(sizeof(TOOL_NAME_entry) == 48);
#endif
