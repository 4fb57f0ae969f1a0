/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What TOOL_NAME sends to user space. */
#pragma once

#include <linux/types.h>

struct TOOL_NAME_event {
	__u64 ts_ns; /* CLOCK_MONOTONIC */
	__u32 tgid;
	__u32 tid;
	char comm[16];
};

#ifdef __cplusplus
static_assert(sizeof(TOOL_NAME_event) == 32);
#endif
