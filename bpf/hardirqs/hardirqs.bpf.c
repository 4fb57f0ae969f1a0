// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Interrupts: the handlers of devices, and what a CPU is interrupted for by itself and by others. */
#include "task.h"

#include "lib/sched/irq_times.h"
#include "lib/core/tracepoint.h"

TRACEPOINT(irq_handler_entry, int irq)
{
	return irq_begin(IRQS_DEVICES + irq);
}

TRACEPOINT(irq_handler_exit, int irq)
{
	return irq_end(IRQS_DEVICES + irq);
}

#if defined(__TARGET_ARCH_x86)
#define VECTOR(name, what)                                                                         \
	TRACEPOINT(name##_entry, int vector)                                                       \
	{                                                                                          \
		return irq_begin(what);                                                            \
	}                                                                                          \
	TRACEPOINT(name##_exit, int vector)                                                        \
	{                                                                                          \
		return irq_end(what);                                                              \
	}

VECTOR(local_timer, IRQS_TIMER)
VECTOR(reschedule, IRQS_RESCHEDULE)
VECTOR(call_function, IRQS_CALL)
VECTOR(call_function_single, IRQS_CALL_ONE)
VECTOR(irq_work, IRQS_WORK)
#endif

char LICENSE[] SEC("license") = "Dual BSD/GPL";
