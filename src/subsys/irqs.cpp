// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/irqs.h"

#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "run/session.h"
#include "run/table.h"

namespace strata {
namespace {

// + 1, as the BPF side has it; throws Error. One that is off may come.
uint32_t wanted_cpu(const Values &values) {
  const uint64_t cpu = values.number("cpu");
  const auto most = static_cast<uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF))) - 1;
  if (cpu > most)
    throw Error("no such CPU: " + std::to_string(cpu) + " (the last one is " + std::to_string(most) + ")");
  return static_cast<uint32_t>(cpu + 1);
}

}  // namespace

std::optional<uint64_t> irq_average_ns(const irqs_entry &e) {
  return if_known(e.value.time_ns != 0, e.value.time_ns / std::max<uint64_t>(1, e.value.count));
}

std::optional<double> irq_cpu_percent(const irqs_entry &e) {
  const double span = static_cast<double>(std::max<uint64_t>(1, e.to_ns - e.from_ns));
  return if_known(e.value.time_ns != 0, 100.0 * static_cast<double>(e.value.time_ns) / span);
}

int run_irqs(Session &session, Object &object, uint32_t whats, std::span<const std::string_view> entries) {
  const Values &values = session.values();
  const bool timed = !values.given("no-time"), in_slots = session.shows("histogram");
  const bool by_irq = values.text("by") == "irq";
  if (!timed) object.enable(entries, false);
  object.set_constant("with_time", timed);
  object.set_constant("in_slots", in_slots);
  if (values.given("cpu")) object.set_constant("only_cpu", wanted_cpu(values));
  object.set_constant("plain", !in_slots && by_irq && !values.given("cpu") && !session.filters_tasks());
  object.set_max_entries("totals", whats);
  if (by_irq) object.set_max_entries("parts", 1);
  if (in_slots) return run_view(session, object);
  return run_table(session, object, by_irq ? "totals" : "parts");
}

}  // namespace strata
