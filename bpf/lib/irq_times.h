/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The time of interrupts: irq_begin(what) and irq_end(what), on the same CPU and with no other
 * of their kind between, so that one start for each CPU is enough and no map has to find it.
 */
#pragma once

#include "lib/irqs_wire.h"
#include "lib/filter.h"
#include "lib/hist.h"
#include "lib/table.h"

#define IRQ_STARTS 1024 /* CPUs of higher numbers share them, which is a counted loss */

const volatile __u32 by = IRQS_BY_IRQ;
const volatile bool with_time = true;
const volatile bool in_slots;
const volatile __u32 only_cpu; /* its number + 1; 0: all */

/* A line for each, or CPUs would wait for each other's. */
static struct irq_start {
	__u32 what, cpu; /* each + 1; 0: none */
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

static __always_inline struct irq_start *irq_start_of(__u32 cpu)
{
	return &irq_starts[cpu & (IRQ_STARTS - 1)];
}

static __always_inline int irq_begin(__u32 what)
{
	__u32 cpu = bpf_get_smp_processor_id() + 1;
	struct irq_start *s = irq_start_of(cpu);

	if (only_cpu && cpu != only_cpu)
		return 0;
	if (s->what && s->cpu != cpu)
		count_loss(LOSS_START);
	s->what = what + 1;
	s->cpu = cpu;
	s->ts_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline struct irqs_count *irq_count_of(__u32 what, __u32 cpu)
{
	const struct irqs_count zero = {};
	struct irqs_key key = {.what = by == IRQS_BY_CPU ? IRQS_ANY : what, .cpu = cpu};
	struct irqs_count *n;

	if (by != IRQS_BY_IRQ)
		return table_find(&parts, &key, &zero);
	n = bpf_map_lookup_elem(&totals, &what);
	if (!n) /* an interrupt that there was not when strata began */
		count_loss(LOSS_TABLE_FULL);
	return n;
}

static __always_inline void irq_add(__u32 what, __u32 cpu, __u64 ns)
{
	struct irqs_slot_key key = {
		.what = by == IRQS_BY_CPU ? IRQS_ANY : what,
		.cpu = by == IRQS_BY_IRQ ? 0 : cpu,
	};
	struct irqs_count *n;

	if (in_slots) {
		key.slot = hist_slot(ns);
		hist_count(&slots, &key);
		return;
	}
	n = irq_count_of(what, cpu);
	if (!n)
		return;
	__sync_fetch_and_add(&n->count, 1);
	if (with_time)
		__sync_fetch_and_add(&n->time_ns, ns);
}

/* The task that was interrupted is the current one. */
static __always_inline int irq_end(__u32 what)
{
	__u32 cpu = bpf_get_smp_processor_id() + 1;
	struct irq_start *s = irq_start_of(cpu);
	__u64 ns = 0;

	if (only_cpu && cpu != only_cpu)
		return 0;
	if (with_time) {
		if (s->what != what + 1 || s->cpu != cpu)
			return 0;
		ns = bpf_ktime_get_ns() - s->ts_ns;
		s->what = 0;
	}
	if (!filter_asked || filter_passes())
		irq_add(what, cpu, ns);
	return 0;
}
