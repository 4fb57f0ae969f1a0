// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A slot for each value. As it comes from the template: what write() returned, if it wrote. */
#include "task.h"

#include "lib/core/filter.h"
#include "lib/core/hist.h"
#include "lib/core/tracepoint.h"

const volatile __s64 wanted_syscall; /* number of the system call */

HIST(sizes);

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
#if defined(__TARGET_ARCH_x86)
	__s64 number = LOAD(regs, orig_ax);
#else
	__s64 number = LOAD(regs, syscallno);
#endif

	if (number == wanted_syscall && result >= 0 && filter_passes())
		hist_add(&sizes, result);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
