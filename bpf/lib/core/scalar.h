/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A pointer that the verifier knows, as a number to calculate with. It permits nothing of the
 * kind but the difference of two pointers, which is a number, and so is a pointer that was
 * stored in a map and loaded. That is five instructions; a probe read of the argument gives the same
 * number, but its call of a helper costs what an array saves beside a hash.
 */
#pragma once

#include "core.h"

/* Its own address, once one was asked for. Every CPU stores the same, and only once. */
static volatile __u64 scalar_origin;

static __always_inline __u64 scalar_of(const void *typed_pointer)
{
	__u64 value = (__u64)typed_pointer;

	if (!scalar_origin)
		scalar_origin = (__u64)&scalar_origin;
	/* In assembly, because the compiler may calculate in another order. */
	asm volatile("%0 -= %1" : "+r"(value) : "r"(&scalar_origin));
	return value + scalar_origin;
}
