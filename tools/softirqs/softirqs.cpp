// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata softirqs: how much time the CPUs spend in softirqs.
#include <string>

#include "kern/irq.h"
#include "run/tool.h"
#include "softirqs.manual.h"
#include "softirqs.skel.h"
#include "subsys/irqs.h"

namespace strata {
namespace {

constexpr uint32_t kVectors = 16;  // the kernel has ten
constexpr Hook kHooks[] = {{.name = "softirq_exit"}, {.name = "softirq_entry"}};
constexpr std::string_view kEntries[] = {"softirq_entry"};

struct Names {
  static constexpr uint32_t kFirst = 0;
  static std::string name(uint32_t what, Resolver &) { return softirq_name(what); }
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

int trace(const Values &, Session &session, Object &object) { return run_irqs(session, object, kVectors, kEntries); }

}  // namespace

extern const Tool tool_softirqs = {
    .name = "softirqs",
    .subsystem = Subsystem::kCpus,
    .summary = "show how much time the CPUs spend in softirqs",
    .manual = kManual,
    .options = kIrqOptions,
    .views = kViews,
    .programs = {.elf = softirqs_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
