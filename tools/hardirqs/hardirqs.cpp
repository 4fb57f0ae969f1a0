// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata hardirqs: how much time the CPUs spend in the handlers of interrupts.
#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "hardirqs.manual.h"
#include "hardirqs.skel.h"
#include "kern/irq.h"
#include "run/resolver.h"
#include "run/tool.h"
#include "subsys/irqs.h"

namespace strata {
namespace {

constexpr std::string_view kEntries[] = {
    "irq_handler_entry",   "local_timer_entry",          "reschedule_entry",
    "call_function_entry", "call_function_single_entry", "irq_work_entry",
};
constexpr std::string_view kVectors[] = {"local timer", "reschedule", "function call", "function call, one CPU",
                                         "IRQ work"};

constexpr Hook vector_hook(std::string_view name) {
  return {.name = name, .required = false, .lost_without = "interrupts of this kind, which only x86 counts"};
}
constexpr Hook kHooks[] = {
    {.name = "irq_handler_exit"},
    {.name = "irq_handler_entry"},
    vector_hook("local_timer_entry"),
    vector_hook("local_timer_exit"),
    vector_hook("reschedule_entry"),
    vector_hook("reschedule_exit"),
    vector_hook("call_function_entry"),
    vector_hook("call_function_exit"),
    vector_hook("call_function_single_entry"),
    vector_hook("call_function_single_exit"),
    vector_hook("irq_work_entry"),
    vector_hook("irq_work_exit"),
};

constexpr Option kOwnOptions[] = {
    {.name = "vectors",
     .help = "what CPUs are interrupted for by themselves and others, too: timer, reschedule, calls"},
};
constexpr auto kOptions = joined(kIrqOptions, kOwnOptions);

struct Names {
  static constexpr uint32_t kFirst = IRQS_DEVICES;
  static std::string name(uint32_t what, Resolver &resolver) {
    if (what < std::size(kVectors)) return std::string(kVectors[what]);
    return what < IRQS_DEVICES ? "vector " + std::to_string(what) : resolver.irq(what - IRQS_DEVICES);
  }
};
constexpr auto kFields = irq_fields<Names>();
constexpr auto kSlotFields = irq_slot_fields<Names>();
constexpr RecordType kTotal = record_type<irqs_entry>("irqs", kFields);
constexpr RecordType kSlot = record_type<irqs_slot_entry>("slot", kSlotFields);
constexpr View kViews[] = {
    {.name = "the table", .shape = with_sort(table_spec<irqs_entry>(kTotal, "parts", "total_ns"), "no-time", "count")},
    {.option = "histogram",
     .name = "--histogram",
     .without = "no-time",
     .shape = histogram_spec<irqs_slot_entry>(kSlot, "", "slots")},
};

int trace(const Values &values, Session &session, Object &object) {
  for (const Hook &hook : kHooks)
    if (!hook.required) object.enable(hook.name, values.given("vectors"));
  const uint32_t highest = highest_irq();
  return run_irqs(session, object, IRQS_DEVICES + 2 * highest + 64, kEntries);  // and room for new ones
}

}  // namespace

extern const Tool tool_hardirqs = {
    .name = "hardirqs",
    .subsystem = Subsystem::kCpus,
    .summary = "show how much time the CPUs spend in handlers of interrupts",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = hardirqs_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
