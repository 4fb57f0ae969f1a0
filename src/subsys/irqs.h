// What hardirqs and softirqs share: a table or histograms of interrupts, by interrupt, CPU, or both
// (bpf/lib/sched/irq_times.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "cli/option.h"
#include "lib/sched/irqs_wire.h"
#include "run/view.h"

namespace strata {

class Object;
class Session;

inline constexpr Option kIrqOptions[] = {
    {.name = "by",
     .value = "irq|cpu|both",
     .kind = OptionKind::kChoice,
     .help = "a row for each interrupt, CPU, or interrupt on a CPU",
     .default_value = "irq",
     .constant = "by"},
    {.name = "histogram", .short_name = 'H', .help = "how the times are distributed, instead of a table"},
    {.name = "cpu", .value = "N", .kind = OptionKind::kNumber, .help = "only on this CPU", .high = 65535},
    {.name = "no-time", .help = "only their number, for a third of the overhead"},
};

// Names of what interrupts: irqs_key.what.
struct IrqNames {
  std::string (*name)(uint32_t what, Resolver &resolver);
  uint32_t first;  // that has a number: what - first
};

// What columns show; `names` is a struct IrqNames.
void write_irq(const void *names, const RecordView &entry, RowWriter &out);
void write_irq_name(const void *names, const RecordView &entry, RowWriter &out);
void write_irq_cpu(const void *, const RecordView &entry, RowWriter &out);
void write_irq_average(const void *, const RecordView &entry, RowWriter &out);
void write_irq_percent(const void *, const RecordView &entry, RowWriter &out);
void write_slot_irq(const void *names, const RecordView &entry, RowWriter &out);
void write_slot_irq_name(const void *names, const RecordView &entry, RowWriter &out);
void write_slot_irq_cpu(const void *, const RecordView &entry, RowWriter &out);

// The fields of a struct irqs_entry. The names must live as long as what is made of them.
constexpr auto irq_fields(const IrqNames &names) {
  return std::to_array<Field>({
      {STORED(irqs_entry, from_ns)},
      {STORED(irqs_entry, to_ns)},
      {.key = "irq",
       .title = "IRQ",
       .width = 5,
       .help = "its number",
       .with = "by=irq|by=both",
       .decode = {write_irq, &names}},
      {STORED(irqs_entry, key.what), .key = "name", .title = "NAME", .width = -26,
       .help = "whose it is, or what it does", .with = "by=irq|by=both", .decode = {write_irq_name, &names}},
      {STORED(irqs_entry, key.cpu), .key = "cpu", .title = "CPU", .width = 5, .help = "where, with --by cpu or both",
       .with = "by=cpu|by=both", .decode = {write_irq_cpu}},
      {STORED(irqs_entry, value.count), .key = "count", .title = "COUNT", .width = 10, .help = "how many ended"},
      {STORED(irqs_entry, value.time_ns), .optional = true, .key = "time_ns", .title = "TIME", .unit = Unit::kNs,
       .width = 7, .help = "of all of them", .with = "!no-time"},
      {.key = "avg_ns",
       .title = "AVERAGE",
       .unit = Unit::kNs,
       .width = 7,
       .help = "of one",
       .with = "!no-time",
       .decode = {write_irq_average}},
      {.key = "cpu_percent",
       .title = "CPU%",
       .unit = Unit::kPercent,
       .width = 6,
       .help = "TIME as a part of the interval; one CPU is 100 %",
       .with = "!no-time",
       .decode = {write_irq_percent}},
  });
}

// The same of a struct irqs_slot_entry.
constexpr auto irq_slot_fields(const IrqNames &names) {
  return std::to_array<Field>({
      {STORED(irqs_slot_entry, from_ns)},
      {STORED(irqs_slot_entry, to_ns)},
      {STORED(irqs_slot_entry, value.count)},
      {.key = "time_ns", .title = "TIME", .unit = Unit::kNs, .help = "of one", .decode = kSlotValues},
      {.key = "irq", .title = "IRQ", .help = "its number", .decode = {write_slot_irq, &names}},
      {STORED(irqs_slot_entry, key.what), .key = "name", .title = "NAME", .help = "whose it is, or what it does",
       .decode = {write_slot_irq_name, &names}},
      {STORED(irqs_slot_entry, key.cpu), .key = "cpu", .title = "CPU", .help = "where", .decode = {write_slot_irq_cpu}},
      {STORED(irqs_slot_entry, key.slot)},
      {STORED(irqs_slot_entry, zero)},
  });
}

// `whats`: one more than the greatest irqs_key.what. `entries`: the hooks of the beginnings. The exit status.
int run_irqs(Session &session, Object &object, uint32_t whats, std::span<const std::string_view> entries);

}  // namespace strata
