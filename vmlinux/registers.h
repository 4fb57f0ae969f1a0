/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers that a task had when it entered the kernel, where kernels differ: as compat.h, which is full. */
#pragma once

#include <bpf/bpf_core_read.h>

#include "task.h"

#if defined(__TARGET_ARCH_x86)
/* 6.9 (ee63291aa899) made pt_regs.cs 16 bits of a union with csx: what FRED saves beside it. */
struct pt_regs___6_9 {
	unsigned short cs;
	__u64 csx;
} CORE;

static __always_inline __u16 registers_cs(struct pt_regs *registers)
{
	struct pt_regs___6_9 *narrow = (void *)registers;

	if (bpf_core_field_exists(narrow->csx))
		return BPF_CORE_READ(narrow, cs);
	return BPF_CORE_READ(registers, cs);
}

/* Its number; below 0: the task is not in one. */
static __always_inline __s64 registers_system_call(struct pt_regs *registers)
{
	return BPF_CORE_READ(registers, orig_ax);
}
#else
static __always_inline __s64 registers_system_call(struct pt_regs *registers)
{
	return BPF_CORE_READ(registers, syscallno);
}
#endif
