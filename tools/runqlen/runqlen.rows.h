// The tables of strata runqlen: options, columns, records, and what becomes of them.
#pragma once

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "cli/option.h"
#include "cli/values.h"
#include "rec/recording.h"
#include "render/sink.h"
#include "run/histogram.h"
#include "run/names.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/tool.h"
#include "runqlen/runqlen.h"

namespace strata {

inline constexpr Option kRunqlenOptions[] = {
    {.name = "by-cpu", .letter = 'C', .help = "one for each CPU"},
    {.name = "occupancy", .letter = 'O', .help = "instead, which part of the time threads were waiting"},
    {.name = "frequency",
     .letter = 'F',
     .value = "HZ",
     .kind = OptionKind::kNumber,
     .help = "samples of each CPU in a second",
     .low = 1,
     .high = 100'000,
     .fallback = "99"},
};

inline constexpr Column kRunqlenColumns[] = {
    {.key = "cpu", .title = "CPU", .width = 5, .help = "which, with -C", .by_default = false},
    {.key = "samples", .title = "SAMPLES", .width = 9, .help = "of the CPUs that are shown"},
    {.key = "busy_percent",
     .title = "BUSY",
     .unit = Unit::kPercent,
     .width = 7,
     .help = "part of the samples in which the CPU was not idle"},
    {.key = "occupancy_percent",
     .title = "OCCUPANCY",
     .unit = Unit::kPercent,
     .width = 9,
     .help = "part in which a thread was waiting for it"},
    {.key = "waiting_avg", .title = "WAITING", .width = 8, .help = "how many waited, on average of all samples"},
};
inline constexpr Column kRunqlenLength = {
    .key = "waiting", .title = "WAITING", .help = "threads in the queue of a CPU, without the one that has it"};

inline constexpr WireField kRunqlenSlotFields[] = {
    WIRE_NUMBER(runqlen_entry, from_ns),
    WIRE_NUMBER(runqlen_entry, to_ns),
    {"count", offsetof(runqlen_entry, value.count), 8},
    {"cpu", offsetof(runqlen_entry, key.cpu), 4},
    {"slot", offsetof(runqlen_entry, key.slot), 4},
};
inline constexpr Wire kRunqlenSlotWire = {"slot", sizeof(runqlen_entry), kRunqlenSlotFields};

inline constexpr WireField kRunqlenCpuFields[] = {
    WIRE_NUMBER(runqlen_cpu_entry, from_ns),
    WIRE_NUMBER(runqlen_cpu_entry, to_ns),
    {"cpu", offsetof(runqlen_cpu_entry, key.cpu), 4},
    {"zero", offsetof(runqlen_cpu_entry, key.zero), 4},
    {"samples", offsetof(runqlen_cpu_entry, value.samples), 8},
    {"busy", offsetof(runqlen_cpu_entry, value.busy), 8},
    {"occupied", offsetof(runqlen_cpu_entry, value.occupied), 8},
    {"waiting", offsetof(runqlen_cpu_entry, value.waiting), 8},
};
inline constexpr Wire kRunqlenCpuWire = {"cpu", sizeof(runqlen_cpu_entry), kRunqlenCpuFields};

inline Value runqlen_cpu(uint32_t cpu) { return cpu == 0 ? Value() : Value(uint64_t{cpu - 1}); }

inline Row runqlen_row(const runqlen_cpu_entry &e, Names &) {
  const auto part = [all = static_cast<double>(e.value.samples)](uint64_t count) {
    return all == 0 ? 0.0 : static_cast<double>(count) / all;
  };
  return {runqlen_cpu(e.key.cpu), uint64_t{e.value.samples}, 100 * part(e.value.busy), 100 * part(e.value.occupied),
          part(e.value.waiting)};
}

inline std::vector<Field> runqlen_keys(const void *entry, Names &) {
  const uint32_t cpu = static_cast<const runqlen_entry *>(entry)->key.cpu;
  return cpu == 0 ? std::vector<Field>() : std::vector<Field>{{&kRunqlenColumns[0], runqlen_cpu(cpu)}};
}

inline constexpr std::string_view kRunqlenLosses[] = {
    "samples not taken: the CPU stood still, or its interrupts were off"};

inline constexpr Histograms kRunqlenHistograms =
    histograms_of<runqlen_entry>(kRunqlenSlotWire, kRunqlenLength, runqlen_keys, kRunqlenLosses);
inline constexpr Tops kRunqlenTops =
    tops_of<runqlen_cpu_entry, runqlen_row>(kRunqlenCpuWire, kRunqlenColumns[3].key, kRunqlenLosses);

// How the tool was called, or a recording of it was.
struct RunqlenWay {
  bool by_cpu, in_rows;
};

inline RunqlenWay recorded_way(const Recording &recording) {
  constexpr const Wire *kWires[] = {&kRunqlenSlotWire, &kRunqlenCpuWire};
  const WireRecord first = first_record(recording, kWires);
  if (first.wire != &kRunqlenCpuWire) return {.by_cpu = true, .in_rows = false};  // each entry says which
  return {.by_cpu = reinterpret_cast<const runqlen_cpu_entry *>(first.bytes.data())->key.cpu != 0, .in_rows = true};
}

// Outputs, columns and options are those of the table, or of histograms.
inline void show_way(const Tool &tool, Session &session, RunqlenWay way) {
  Tool shown = tool;
  const Values &values = session.values();
  std::vector<Column> columns(std::begin(kRunqlenColumns), std::end(kRunqlenColumns));
  for (Column &column : columns) column.by_default = way.in_rows && (way.by_cpu || column.key != columns[0].key);
  if (way.in_rows) {
    for (const std::string &output : values.texts("output"))
      if (output.starts_with("heatmap")) throw usage_error("--output heatmap is of lengths: without --occupancy");
    shown.formats = kRowFormats;
  } else {
    refuse(values, {"sort", "rows", "columns"}, "is for the table of --occupancy");
    shown.takes &= ~kTakesTable;
  }
  session.show(shown, std::move(columns));
}

}  // namespace strata
