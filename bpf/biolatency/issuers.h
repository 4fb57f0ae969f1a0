/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Who issued a request: kept by the bio that becomes one, in the task that submits it. */
#pragma once

#include "block.h"
#include "core.h"

#include "lib/core/pending.h"
#include "lib/core/tracepoint.h"

#define MERGED_IN_FRONT 8 /* bios at most that were put before the one that became the request */

struct issuer {
	__u64 object; /* the bio that became a request; the request when a part of it is complete */
	__u32 tgid;
	__u32 wanted;
	char comm[16];
};

PENDING(issuers, struct issuer);

/* The entry of the bio that became the request. */
static __always_inline struct issuer *issuer_of(__u64 address)
{
	struct request *rq = (void *)address;
	struct bio *bio = BPF_CORE_READ(rq, bio);
	struct issuer *n;
	int i;

	for (i = 0; i < MERGED_IN_FRONT && bio; i++) {
		n = pending_find(&issuers, sizeof(*n), (__u64)bio);
		if (n)
			return n;
		bio = BPF_CORE_READ(bio, bi_next);
	}
	return pending_find(&issuers, sizeof(*n), address);
}

/* The bios of a part that is complete go away, the request stays. */
static __always_inline void keep_issuer(__u64 address)
{
	struct issuer *n = issuer_of(address), kept;

	if (!n || n->object == address)
		return;
	kept = *n;
	kept.object = address;
	n->object = 0;
	n = pending_begin(&issuers, sizeof(*n), address);
	if (n)
		*n = kept;
}

/* Ends the entry, if there is one. */
static __always_inline void take_issuer(__u64 address, struct issuer *issuer)
{
	struct issuer *n = issuer_of(address);

	if (!n)
		return;
	*issuer = *n;
	n->object = 0;
}
