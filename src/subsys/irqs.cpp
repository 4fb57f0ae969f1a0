#include "subsys/irqs.h"

#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "rec/recording.h"
#include "render/sink.h"
#include "run/names.h"
#include "run/replay.h"
#include "run/session.h"

namespace strata {
namespace {

// How the tool was called, or a recording of it was.
struct Way {
  uint32_t by = IRQS_BY_IRQ;
  bool timed = true, in_slots = false;
};

constexpr const Column &kIrq = kIrqColumns[0], &kName = kIrqColumns[1], &kCpu = kIrqColumns[2],
                       &kCount = kIrqColumns[3];

constexpr WireField kFields[] = {
    WIRE_NUMBER(irqs_entry, from_ns),
    WIRE_NUMBER(irqs_entry, to_ns),
    {"count", offsetof(irqs_entry, value.count), 8},
    {"time_ns", offsetof(irqs_entry, value.time_ns), 8},
    {"what", offsetof(irqs_entry, key.what), 4},
    {"cpu", offsetof(irqs_entry, key.cpu), 4},
};

constexpr WireField kSlotFields[] = {
    WIRE_NUMBER(irqs_slot_entry, from_ns),
    WIRE_NUMBER(irqs_slot_entry, to_ns),
    {"count", offsetof(irqs_slot_entry, value.count), 8},
    {"what", offsetof(irqs_slot_entry, key.what), 4},
    {"cpu", offsetof(irqs_slot_entry, key.cpu), 4},
    {"slot", offsetof(irqs_slot_entry, key.slot), 4},
    WIRE_NUMBER(irqs_slot_entry, zero),
};

Value irq_of(uint32_t what, const IrqNames &of) {
  return what == IRQS_ANY || what < of.first ? Value() : Value(uint64_t{what - of.first});
}
Value name_of(uint32_t what, Names &names, const IrqNames &of) {
  return what == IRQS_ANY ? Value() : Value(of.name(what, names));
}
Value cpu_of(uint32_t cpu) { return cpu == 0 ? Value() : Value(uint64_t{cpu - 1}); }

bool is_shown(const Column &column, Way way) {
  if (column.key == kIrq.key || column.key == kName.key) return way.by != IRQS_BY_CPU;
  if (column.key == kCpu.key) return way.by != IRQS_BY_IRQ;
  return way.timed || column.key == kCount.key;
}

void check_options(const Values &values, Way way) {
  if (!way.in_slots) {
    for (const std::string &output : values.texts("output"))
      if (output.starts_with("heatmap")) throw usage_error("--output heatmap is for --histogram");
    return;
  }
  if (!way.timed) throw usage_error("--histogram is of the times that --no-time leaves out");
  refuse(values, {"sort", "rows", "columns"}, "is for the table, not for --histogram");
}

// Outputs and columns are those of the table, or of histograms.
void show(Session &session, const IrqTool &irqs, Way way) {
  check_options(session.values(), way);
  std::vector<Column> columns(std::begin(kIrqColumns), std::end(kIrqColumns));
  for (Column &column : columns) column.by_default = !way.in_slots && is_shown(column, way);
  Tool shown = *irqs.tool;
  if (way.in_slots)
    shown.takes &= ~kTakesTable;
  else
    shown.formats = kRowFormats;
  session.show(shown, std::move(columns));
}

Tops tops_of_way(const IrqTool &irqs, Way way) {
  Tops tops = irqs.tops;
  if (!way.timed) tops.sort = kCount.key;
  return tops;
}

uint32_t by_of(uint32_t what, uint32_t cpu) {
  if (cpu == 0) return IRQS_BY_IRQ;
  return what == IRQS_ANY ? IRQS_BY_CPU : IRQS_BY_BOTH;
}

Way recorded_way(const Recording &recording) {
  const Wire *const wires[] = {&kIrqWire, &kIrqSlotWire};
  const WireRecord first = first_record(recording, wires);
  if (first.wire == &kIrqSlotWire) return {.in_slots = true};
  if (first.wire != &kIrqWire) return {};
  const auto &e = *reinterpret_cast<const irqs_entry *>(first.bytes.data());
  return {.by = by_of(e.key.what, e.key.cpu), .timed = e.value.time_ns != 0};
}

// + 1, as the BPF side has it; throws Error. One that is off may come.
uint32_t wanted_cpu(const Values &values) {
  const uint64_t cpu = values.number("cpu");
  const auto most = static_cast<uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF))) - 1;
  if (cpu > most)
    throw Error("no such CPU: " + std::to_string(cpu) + " (the last one is " + std::to_string(most) + ")");
  return static_cast<uint32_t>(cpu + 1);
}

Way asked_way(const Values &values) {
  const std::string &by = values.text("by");
  return {.by = static_cast<uint32_t>(by == "cpu"    ? IRQS_BY_CPU
                                      : by == "both" ? IRQS_BY_BOTH
                                                     : IRQS_BY_IRQ),
          .timed = !values.given("no-time"),
          .in_slots = values.given("histogram")};
}

}  // namespace

const Wire kIrqWire = {"irqs", sizeof(irqs_entry), kFields};
const Wire kIrqSlotWire = {"slot", sizeof(irqs_slot_entry), kSlotFields};
const Column kIrqTime = {.key = "time_ns", .title = "TIME", .unit = Unit::kNs, .help = "of one"};

Row irq_row(const void *entry, Names &names, const IrqNames &of) {
  const irqs_entry &e = *static_cast<const irqs_entry *>(entry);
  const auto &[count, time_ns] = e.value;
  const bool timed = time_ns != 0;
  const double span = static_cast<double>(std::max<uint64_t>(1, e.to_ns - e.from_ns));
  return {irq_of(e.key.what, of),
          name_of(e.key.what, names, of),
          cpu_of(e.key.cpu),
          uint64_t{count},
          timed ? Value(uint64_t{time_ns}) : Value(),
          timed ? Value(time_ns / std::max<uint64_t>(1, count)) : Value(),
          timed ? Value(100.0 * static_cast<double>(time_ns) / span) : Value()};
}

std::vector<Field> irq_keys(const void *entry, Names &names, const IrqNames &of) {
  const irqs_slot_key &key = static_cast<const irqs_slot_entry *>(entry)->key;
  std::vector<Field> keys;
  const Value irq = irq_of(key.what, of);
  if (of.first > 0 && irq != Value()) keys.push_back({&kIrq, irq});
  if (key.what != IRQS_ANY) keys.push_back({&kName, name_of(key.what, names, of)});
  if (key.cpu > 0) keys.push_back({&kCpu, cpu_of(key.cpu)});
  return keys;
}

int run_irqs(Session &session, Object &object, const IrqTool &irqs, uint32_t whats,
             std::span<const std::string_view> entries) {
  const Values &values = session.values();
  const Way way = asked_way(values);
  show(session, irqs, way);
  if (!way.timed)
    for (const std::string_view entry : entries) object.enable(entry, false);
  object.set_knob("by", way.by);
  object.set_knob("with_time", way.timed);
  object.set_knob("in_slots", way.in_slots);
  if (values.given("cpu")) object.set_knob("only_cpu", wanted_cpu(values));
  object.set_knob("plain", !way.in_slots && way.by == IRQS_BY_IRQ && !values.given("cpu") && !session.asks_for_tasks());
  object.set_max_entries("totals", whats);
  if (!way.in_slots) object.set_max_entries("slots", 1);
  if (way.in_slots || way.by == IRQS_BY_IRQ) object.set_max_entries("parts", 1);
  if (way.in_slots) return run_histogram(session, object, "slots", irqs.histograms);
  return run_table(session, object, way.by == IRQS_BY_IRQ ? "totals" : "parts", tops_of_way(irqs, way));
}

int replay_irqs(Recording &recording, Session &session, const IrqTool &irqs) {
  const Way way = recorded_way(recording);
  show(session, irqs, way);
  if (way.in_slots) return replay_histogram(recording, session, irqs.histograms);
  return replay_table(recording, session, tops_of_way(irqs, way));
}

}  // namespace strata
