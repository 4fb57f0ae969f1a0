/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which calls become samples: one in so many at random, or each N-th. The same for every procedure. */
#pragma once

#include "core.h"

#include <bpf/bpf_helpers.h>

#include "lib/core/filter.h"

const volatile __u32 every;	/* each N-th followable call; 0: at random */
const volatile __u32 period = 1000; /* at random, one in so many on average */
const volatile __u64 limit;	/* samples in all; 0: no limit */

/* Calls until the next sample, one line a CPU; a fixed period would lock onto a pattern. */
static struct countdown {
	__u32 left;
	__u32 pad[15];
} countdowns[1024];

volatile __u32 sampling; /* user space opens and closes it */
static __u32 every_count;
__u64 n_sampled;
static __u64 sample_ids[1024]; /* by CPU */

static __always_inline __u32 current_tid(void)
{
	return bpf_get_current_pid_tgid();
}

/* All that an unsampled call passes. Mean gap: `period`. */
static __always_inline bool random_hit(void)
{
	struct countdown *c = &countdowns[bpf_get_smp_processor_id() & 1023];
	__u32 left = c->left;

	if (left > 1) {
		c->left = left - 1;
		return false;
	}
	c->left = period > 1 ? 1 + bpf_get_prandom_u32() % (2 * period - 1) : 1;
	return left || period == 1; /* the first one only sets the phase, unless every call is wanted */
}

/* The N-th, 2N-th, ... Exact while one thread writes at a time; 5.10 has no atomic exchange. */
static __always_inline bool every_hit(void)
{
	if (++every_count < every)
		return false;
	every_count = 0;
	return true;
}

/* Of what is followed whoever does it. */
static __always_inline bool hit(void)
{
	return sampling && (every ? every_hit() : random_hit());
}

/* All that is asked before the call is looked at: dice, then filter. */
static __always_inline bool chosen(void)
{
	return sampling && (every || random_hit()) && filter_passes();
}

/* The number of a new sample, which is counted. */
static __always_inline __u64 next_sample(void)
{
	__u32 cpu = bpf_get_smp_processor_id() & 1023;

	__sync_fetch_and_add(&n_sampled, 1);
	return ++sample_ids[cpu] << 10 | cpu;
}
