// What hardirqs and softirqs share: a table or histograms of interrupts, by interrupt, CPU, or both
// (bpf/lib/sched/irq_times.h).
#pragma once

#include <string>

#include "cli/option.h"
#include "lib/sched/irqs_wire.h"
#include "run/histogram.h"
#include "run/table.h"
#include "run/tool.h"

namespace strata {

inline constexpr Option kIrqOptions[] = {
    {.name = "by",
     .value = "irq|cpu|both",
     .kind = OptionKind::kChoice,
     .help = "a row for each interrupt, CPU, or interrupt on a CPU",
     .fallback = "irq"},
    {.name = "histogram", .letter = 'H', .help = "how the times are distributed, instead of a table"},
    {.name = "cpu", .value = "N", .kind = OptionKind::kNumber, .help = "only on this CPU", .high = 65535},
    {.name = "no-time", .help = "only their number, for a third of the price"},
};

inline constexpr Column kIrqColumns[] = {
    {.key = "irq", .title = "IRQ", .width = 5, .help = "its number"},
    {.key = "name", .title = "NAME", .width = -26, .help = "whose it is, or what it does"},
    {.key = "cpu", .title = "CPU", .width = 5, .help = "where, with --by cpu or both", .by_default = false},
    {.key = "count", .title = "COUNT", .width = 10, .help = "how many ended"},
    {.key = "time_ns", .title = "TIME", .unit = Unit::kNs, .width = 7, .help = "of all of them"},
    {.key = "avg_ns", .title = "AVERAGE", .unit = Unit::kNs, .width = 7, .help = "of one"},
    {.key = "cpu_percent",
     .title = "CPU%",
     .unit = Unit::kPercent,
     .width = 6,
     .help = "TIME as a part of the interval; one CPU is 100 %"},
};

struct IrqNames {
  std::string (*name)(uint32_t what, Names &names);  // of irqs_key.what
  uint32_t first;                                    // that has a number: what - first
};

// A tool's tables; its columns are irq_columns() of how it was called.
struct IrqTool {
  const Tool *tool;
  Tops tops;
  Histograms histograms;
};

extern const Wire kIrqWire, kIrqSlotWire;
extern const Column kIrqTime;
Row irq_row(const void *entry, Names &names, const IrqNames &of);
std::vector<Field> irq_keys(const void *entry, Names &names, const IrqNames &of);

template <const IrqNames &of>
IrqTool irqs_of(const Tool &tool) {
  IrqTool irqs = {
      .tool = &tool,
      .tops = {.entries = entries_of<irqs_entry>(kIrqWire),
               .decode = [](const void *entry, Names &names) { return irq_row(entry, names, of); },
               .sort = "time_ns"},
      .histograms = histograms_of<irqs_slot_entry>(
          kIrqSlotWire, kIrqTime, [](const void *entry, Names &names) { return irq_keys(entry, names, of); })};
  irqs.histograms.beside_tables = true;
  return irqs;
}

// `whats`: one more than the greatest irqs_key.what. `entries`: the hooks of the beginnings. The exit status.
int run_irqs(Session &session, Object &object, const IrqTool &irqs, uint32_t whats,
             std::span<const std::string_view> entries);
int replay_irqs(Recording &recording, Session &session, const IrqTool &irqs);

}  // namespace strata
