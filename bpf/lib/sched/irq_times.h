/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The time of interrupts: irq_begin(what) and irq_end(what), on the same CPU and with no other
 * of their kind between, so that one start for each CPU is enough and no map has to find it.
 *
 * Rejected: counters in the line of the CPU. They would save one lookup, take 256 KiB more, and user
 * space would have to add up 1024 copies at each interval.
 */
#pragma once

#include "lib/sched/irqs_wire.h"
#include "lib/core/filter.h"
#include "lib/core/hist.h"
#include "lib/core/table.h"
#include "lib/core/thinning.h"

#define IRQ_STARTS 1024 /* CPUs of higher numbers share them, which is a counted loss */

const volatile __u32 by = IRQS_BY_IRQ;
const volatile bool with_time = true;
const volatile bool in_slots;
const volatile __u32 only_cpu; /* its number + 1; 0: all */
const volatile bool plain;     /* none of the above is set: each constant that is asked costs three instructions */

/* A line for each, or CPUs would wait for each other's. */
static struct irq_start {
	__u64 owner; /* the CPU << 32, and what + 1; 0: none */
	__u64 ts_ns, spare[6];
} irq_starts[IRQ_STARTS] __attribute__((aligned(64)));

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, struct irqs_count);
} totals SEC(".maps");

TABLE(parts, struct irqs_key, struct irqs_count, 65536);
HIST_BY(slots, struct irqs_slot_key, 65536);

/* bpf_get_smp_processor_id(), of whose 64 bits nobody has to cut off the upper half. */
static __u64 (*const irq_cpu)(void) = (void *)BPF_FUNC_get_smp_processor_id;

static __always_inline int irq_begin(__u64 what)
{
	const __u64 cpu = irq_cpu();
	struct irq_start *s = &irq_starts[cpu & (IRQ_STARTS - 1)];

	if (thinned_out()) {
		s->owner = 0;
		return 0;
	}
	if (s->owner && s->owner >> 32 != cpu)
		count_loss(LOSS_START);
	s->owner = cpu << 32 | (what + 1);
	s->ts_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline void irq_add(struct irqs_count *n, bool timed, __u64 ns)
{
	__sync_fetch_and_add(&n->count, 1);
	if (timed)
		__sync_fetch_and_add(&n->time_ns, ns);
}

static __always_inline int irq_add_total(__u32 what, bool timed, __u64 ns)
{
	struct irqs_count *n = bpf_map_lookup_elem(&totals, &what);

	if (n)
		irq_add(n, timed, ns);
	else /* an interrupt that there was not when strata began */
		count_loss(LOSS_TABLE_FULL);
	return 0;
}

static __always_inline int irq_add_part(__u32 what, __u32 cpu, bool timed, __u64 ns)
{
	const struct irqs_count zero = {};
	struct irqs_key key = {.what = by == IRQS_BY_CPU ? IRQS_ANY : what, .cpu = cpu};
	struct irqs_count *n = table_find(&parts, &key, &zero);

	if (n)
		irq_add(n, timed, ns);
	return 0;
}

static __always_inline int irq_add_slot(__u32 what, __u32 cpu, __u64 ns)
{
	struct irqs_slot_key key = {
		.what = by == IRQS_BY_CPU ? IRQS_ANY : what,
		.cpu = by == IRQS_BY_IRQ ? 0 : cpu,
		.slot = hist_slot(ns),
	};

	hist_add_by(&slots, &key, ns);
	return 0;
}

/* The task that was interrupted is the current one. `cpu` is its number + 1. */
static __always_inline int irq_add_filtered(__u32 what, __u32 cpu, bool timed, __u64 ns)
{
	if (only_cpu && cpu != only_cpu)
		return 0;
	if (task_filtered && !filter_passes())
		return 0;
	if (in_slots)
		return irq_add_slot(what, cpu, ns);
	return by == IRQS_BY_IRQ ? irq_add_total(what, timed, ns) : irq_add_part(what, cpu, timed, ns);
}

static __always_inline int irq_end(__u64 what)
{
	const __u64 cpu = irq_cpu();
	struct irq_start *s = &irq_starts[cpu & (IRQ_STARTS - 1)];
	const bool timed = with_time;
	__u64 ns = 0;

	if (timed) {
		if (s->owner != (cpu << 32 | (what + 1)))
			return 0;
		ns = bpf_ktime_get_ns() - s->ts_ns;
		s->owner = 0;
	} else if (thinned_out()) {
		return 0;
	}
	return plain ? irq_add_total(what, timed, ns) : irq_add_filtered(what, cpu + 1, timed, ns);
}
