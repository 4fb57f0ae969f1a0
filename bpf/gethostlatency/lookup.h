/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A lookup that is under way. */
#pragma once

#include "gethostlatency.h"

struct lookup {
	__u32 tid; /* 0: none */
	__u32 narrow;
	__u32 read; /* what it asks for was */
	__u32 family;
	__u32 name_bytes;
	__s32 h_errno_value; /* of the call below that the last one made */
	__u64 sp;	     /* at the first instruction */
	__u64 at;	     /* what it asks for, in user space */
	__u64 result_at;     /* where the ..._r functions put their result */
	__u64 h_errno_at;    /* and h_errno; of a lookup that has ended EMIT_ROOM of lib/core/emit.h */
	struct host_event e; /* ts_ns is its beginning */
};
