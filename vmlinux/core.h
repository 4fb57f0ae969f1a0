/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Base of the hand-written CO-RE types. Each file of this folder holds the part of one kernel
 * subsystem that some program reads, and nothing else: never take sizeof of such a struct.
 */
#pragma once

/* bpf_tracing.h then names registers as the kernel does, not as the C library does. */
#define __VMLINUX_H__

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define CORE __attribute__((preserve_access_index))
