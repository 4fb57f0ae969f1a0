// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What hardirqs and softirqs share: a table or histograms of interrupts, by interrupt, CPU, or both
// (bpf/lib/sched/irq_times.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "cli/option.h"
#include "lib/sched/irqs_wire.h"
#include "model/columns.h"
#include "run/view.h"

namespace strata {

class Object;
class Session;

inline constexpr Option kIrqOptions[] = {
    choice_option({.name = "by",
                   .value = "irq|cpu|both",
                   .help = "a row for each interrupt, CPU, or interrupt on a CPU",
                   .default_value = "irq",
                   .constant = "by"}),
    {.name = "histogram", .short_name = 'H', .help = "how the times are distributed, instead of a table"},
    {.name = "cpu", .value = "N", .kind = OptionKind::kNumber, .help = "only on this CPU", .high = 65535},
    {.name = "no-time", .help = "only their number, for a third of the overhead"},
};

// What columns show of a key. `Names` of what interrupts (irqs_key.what) has
//   static std::string name(uint32_t what, Resolver &resolver);
//   static constexpr uint32_t kFirst;  // that has a number: what - kFirst
// and is a type: what is made of constants of unnamed namespaces has one name in all files with g++ 14.
template <typename Names, typename Entry>
MaybeText irq_name(const Entry &e, Resolver &resolver) {
  return e.key.what == IRQS_ANY ? Value() : Value(Names::name(e.key.what, resolver));
}
template <typename Names, typename Entry>
std::optional<uint32_t> irq_number(const Entry &e) {
  return if_known(e.key.what != IRQS_ANY && e.key.what >= Names::kFirst, e.key.what - Names::kFirst);
}
// One without a number of its own has none in any histogram.
template <typename Names>
std::optional<uint32_t> slot_irq_number(const irqs_slot_entry &e) {
  return Names::kFirst == 0 ? std::nullopt : irq_number<Names>(e);
}
template <typename Entry>
std::optional<uint32_t> irq_cpu(const Entry &e) {
  return if_known(e.key.cpu != 0, e.key.cpu - 1);
}
std::optional<uint64_t> irq_average_ns(const irqs_entry &e);
std::optional<double> irq_cpu_percent(const irqs_entry &e);

// The fields of a struct irqs_entry.
template <typename Names>
constexpr auto irq_fields() {
  return std::to_array<Field>({
      INTERVAL_STORED(irqs_entry),
      {COMPUTED(irq_number<Names, irqs_entry>), .key = "irq", .title = "IRQ", .width = 5, .help = "its number",
       .with = "by=irq|by=both"},
      {STORED(irqs_entry, key.what), COMPUTED(irq_name<Names, irqs_entry>), .key = "name", .title = "NAME",
       .width = -26, .help = "whose it is, or what it does", .with = "by=irq|by=both"},
      {STORED(irqs_entry, key.cpu), COMPUTED(irq_cpu<irqs_entry>), .key = "cpu", .title = "CPU", .width = 5,
       .help = "where, with --by cpu or both", .with = "by=cpu|by=both"},
      {STORED(irqs_entry, value.count), .key = "count", .title = "COUNT", .width = 10, .help = "how many ended"},
      {STORED(irqs_entry, value.time_ns), .optional = true, .key = "total_ns", .title = "TIME", .unit = Unit::kNs,
       .width = 7, .help = "of all of them", .with = "!no-time"},
      {COMPUTED(irq_average_ns), .key = "avg_ns", .title = "AVERAGE", .unit = Unit::kNs, .width = 7, .help = "of one",
       .with = "!no-time"},
      {COMPUTED(irq_cpu_percent), .key = "cpu_percent", .title = "CPU%", .unit = Unit::kPercent, .width = 6,
       .help = "TIME as a part of the interval; one CPU is 100 %", .with = "!no-time"},
  });
}

// The same of a struct irqs_slot_entry.
template <typename Names>
constexpr auto irq_slot_fields() {
  return std::to_array<Field>({
      SLOT_STORED(irqs_slot_entry),
      {COMPUTED(slot_values), .key = "dur_ns", .title = "TIME", .unit = Unit::kNs, .help = "of one"},
      {COMPUTED(slot_irq_number<Names>), .key = "irq", .title = "IRQ", .help = "its number"},
      {STORED(irqs_slot_entry, key.what), COMPUTED(irq_name<Names, irqs_slot_entry>), .key = "name", .title = "NAME",
       .help = "whose it is, or what it does"},
      {STORED(irqs_slot_entry, key.cpu), COMPUTED(irq_cpu<irqs_slot_entry>), .key = "cpu", .title = "CPU",
       .help = "where"},
      {STORED(irqs_slot_entry, key.slot)},
      {STORED(irqs_slot_entry, zero)},
  });
}

// `whats`: one more than the greatest irqs_key.what. `entries`: the hooks of the beginnings. The exit status.
int run_irqs(Session &session, Object &object, uint32_t whats, std::span<const std::string_view> entries);

}  // namespace strata
