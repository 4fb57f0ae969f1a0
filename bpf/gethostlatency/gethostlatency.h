/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What gethostlatency sends to user space: each lookup of a host, when it returns. */
#pragma once

#include <linux/types.h>

#include "lib/core/loss.h"

/* The functions; a probe's cookie is 2 * its number, and 1 more in a 32-bit library. */
enum host_call {
	CALL_GETADDRINFO,
	CALL_GETHOSTBYNAME,
	CALL_GETHOSTBYNAME2,
	CALL_GETHOSTBYNAME_R,
	CALL_GETHOSTBYNAME2_R,
	CALL_GETHOSTBYADDR,
	CALL_GETHOSTBYADDR_R,
	CALL_GETNAMEINFO,
};

enum host_outcome {
	HOST_OK,
	HOST_EAI,	 /* code is EAI_* of netdb.h */
	HOST_H_ERRNO,	 /* code is h_errno */
	HOST_ERRNO,	 /* code is errno */
	HOST_FAILED,	 /* and nothing says why */
	HOST_UNFINISHED, /* the thread ended, or a jump left the function */
	HOST_UNDER_WAY,	 /* when the run ended */
};

enum {
	HOST_NAME = 264,    /* a name has 253 bytes and perhaps a dot at its end; a longer one is cut */
	HOST_LOOKUPS = 4096, /* that are under way */
};

struct host_event {
	__u64 ts_ns; /* CLOCK_MONOTONIC, when it returned */
	__u64 lat_ns;
	__u64 addr_hi; /* that was asked for, of calls that take an address: of IPv4 ::ffff:a.b.c.d */
	__u64 addr_lo;
	__u32 call;
	__u32 outcome;
	__s32 code;
	__u32 has_name; /* one was given, and read */
	__u32 tgid;
	__u32 tid;
	char comm[16];
	char name[HOST_NAME]; /* the record ends with its NUL */
};

enum host_loss {
	LOSS_NAME = LOSS_TOOL, /* a name could not be read */
	LOSS_PROGRAM,	       /* nobody looked at the libraries of a program that began */
	LOSS_ENDED,	       /* it had ended when somebody did */
};

#ifdef __cplusplus
static_assert(sizeof(host_event) == 32 + 24 + 16 + HOST_NAME, "no padding");
#endif
