/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What TOOL_NAME counts: an entry is a slot in an interval, as user space reads and records it. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"

struct TOOL_NAME_key {
	__u32 slot;
};

struct TOOL_NAME_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct TOOL_NAME_key key;
	__u32 zero;
};
