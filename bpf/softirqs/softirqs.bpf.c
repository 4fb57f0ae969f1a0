// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Softirqs: on a CPU one at a time, whether at the end of an interrupt, in a task or in ksoftirqd. */
#include "task.h"

#include "lib/sched/irq_times.h"
#include "lib/core/tracepoint.h"

TRACEPOINT(softirq_entry, unsigned int vec)
{
	return irq_begin(vec);
}

TRACEPOINT(softirq_exit, unsigned int vec)
{
	return irq_end(vec);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
