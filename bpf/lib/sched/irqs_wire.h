/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What hardirqs and softirqs count: an entry is an interrupt, a CPU or an interrupt on a CPU in an interval. */
#pragma once

#include <linux/types.h>

#include "lib/core/hist_slots.h"

enum { IRQS_BY_IRQ, IRQS_BY_CPU, IRQS_BY_BOTH };

/* What interrupts: a softirq's number; of hardirqs one of the CPU's own, or IRQS_DEVICES + the number of a device's. */
enum { IRQS_TIMER, IRQS_RESCHEDULE, IRQS_CALL, IRQS_CALL_ONE, IRQS_WORK, IRQS_DEVICES = 8 };
enum { IRQS_ANY = 0xffffffff };

struct irqs_key {
	__u32 what; /* IRQS_ANY by CPU */
	__u32 cpu;  /* its number + 1; 0 by interrupt */
};

struct irqs_count {
	__u64 count;
	__u64 time_ns;
};

struct irqs_entry {
	__u64 from_ns, to_ns;
	struct irqs_count value;
	struct irqs_key key;
};

struct irqs_slot_key {
	__u32 what, cpu; /* as above */
	__u32 slot;
};

struct irqs_slot_entry {
	__u64 from_ns, to_ns;
	struct hist_values value;
	struct irqs_slot_key key;
	__u32 zero;
};

#ifdef __cplusplus
static_assert(sizeof(irqs_entry) == 40 && sizeof(irqs_slot_entry) == 56, "no padding");
#endif
