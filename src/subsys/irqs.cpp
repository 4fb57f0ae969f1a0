#include "subsys/irqs.h"

#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "run/histogram.h"
#include "run/session.h"
#include "run/table.h"

namespace strata {
namespace {

const irqs_entry &entry_of(const RecordView &view) { return *static_cast<const irqs_entry *>(view.data); }
const irqs_slot_entry &slot_of(const RecordView &view) { return *static_cast<const irqs_slot_entry *>(view.data); }

void write_name(const void *names, uint32_t what, Resolver &resolver, RowWriter &out) {
  what == IRQS_ANY ? out.none() : out.text(static_cast<const IrqNames *>(names)->name(what, resolver));
}

void write_number(const void *names, uint32_t what, RowWriter &out) {
  const uint32_t first = static_cast<const IrqNames *>(names)->first;
  what == IRQS_ANY || what < first ? out.none() : out.number(what - first);
}

void write_cpu(uint32_t cpu, RowWriter &out) { cpu == 0 ? out.none() : out.number(cpu - 1); }

// + 1, as the BPF side has it; throws Error. One that is off may come.
uint32_t wanted_cpu(const Values &values) {
  const uint64_t cpu = values.number("cpu");
  const auto most = static_cast<uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF))) - 1;
  if (cpu > most)
    throw Error("no such CPU: " + std::to_string(cpu) + " (the last one is " + std::to_string(most) + ")");
  return static_cast<uint32_t>(cpu + 1);
}

}  // namespace

void write_irq(const void *names, const RecordView &entry, RowWriter &out) {
  write_number(names, entry_of(entry).key.what, out);
}

void write_irq_name(const void *names, const RecordView &entry, RowWriter &out) {
  write_name(names, entry_of(entry).key.what, entry.resolver, out);
}

void write_irq_cpu(const void *, const RecordView &entry, RowWriter &out) { write_cpu(entry_of(entry).key.cpu, out); }

void write_irq_average(const void *, const RecordView &entry, RowWriter &out) {
  const auto &[count, time_ns] = entry_of(entry).value;
  time_ns == 0 ? out.none() : out.number(time_ns / std::max<uint64_t>(1, count));
}

void write_irq_percent(const void *, const RecordView &entry, RowWriter &out) {
  const irqs_entry &e = entry_of(entry);
  const double span = static_cast<double>(std::max<uint64_t>(1, e.to_ns - e.from_ns));
  e.value.time_ns == 0 ? out.none() : out.value(100.0 * static_cast<double>(e.value.time_ns) / span);
}

// One without a number of its own has none in any histogram.
void write_slot_irq(const void *names, const RecordView &entry, RowWriter &out) {
  static_cast<const IrqNames *>(names)->first == 0 ? out.none() : write_number(names, slot_of(entry).key.what, out);
}

void write_slot_irq_name(const void *names, const RecordView &entry, RowWriter &out) {
  write_name(names, slot_of(entry).key.what, entry.resolver, out);
}

void write_slot_irq_cpu(const void *, const RecordView &entry, RowWriter &out) {
  write_cpu(slot_of(entry).key.cpu, out);
}

int run_irqs(Session &session, Object &object, uint32_t whats, std::span<const std::string_view> entries) {
  const Values &values = session.values();
  const bool timed = !values.given("no-time"), in_slots = session.shows("histogram");
  const bool by_irq = values.text("by") == "irq";
  if (!timed)
    for (const std::string_view entry : entries) object.enable(entry, false);
  object.set_constant("with_time", timed);
  object.set_constant("in_slots", in_slots);
  if (values.given("cpu")) object.set_constant("only_cpu", wanted_cpu(values));
  object.set_constant("plain", !in_slots && by_irq && !values.given("cpu") && !session.filters_tasks());
  object.set_max_entries("totals", whats);
  if (!in_slots) object.set_max_entries("slots", 1);
  if (in_slots || by_irq) object.set_max_entries("parts", 1);
  if (in_slots) return run_histogram(session, object, HistogramMap::kByKey);
  return run_table(session, object, by_irq ? "totals" : "parts");
}

}  // namespace strata
