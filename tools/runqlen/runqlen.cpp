// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata runqlen: how many threads wait for a CPU.
#include "runqlen/runqlen.h"

#include "bpf/object.h"
#include "cli/values.h"
#include "kern/cpus.h"
#include "model/columns.h"
#include "run/session.h"
#include "run/tool.h"
#include "runqlen.manual.h"
#include "runqlen.skel.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "by-cpu", .short_name = 'C', .help = "one for each CPU", .constant = "by_cpu"},
    {.name = "occupancy",
     .short_name = 'O',
     .help = "instead, which part of the time threads were waiting",
     .constant = "in_rows"},
    frequency_option({.name = "frequency", .default_value = "99"}),
};

uint32_t cpu_number(uint32_t key) { return key - 1; }  // 0 is of all

constexpr Field kSlotFields[] = {
    SLOT_STORED(runqlen_entry),
    {STORED(runqlen_entry, key.slot)},
    {COMPUTED(slot_values), .key = "waiting", .title = "WAITING",
     .help = "threads in the queue of a CPU, without the one that has it"},
    {STORED(runqlen_entry, key.cpu), .optional = true, COMPUTED(cpu_number), .key = "cpu", .title = "CPU",
     .help = "which, with -C", .with = "by-cpu"},
};
constexpr RecordType kSlot = record_type<runqlen_entry>("slot", kSlotFields);

double part(const runqlen_cpu_entry &e, uint64_t samples) {
  return e.value.samples == 0 ? 0 : static_cast<double>(samples) / static_cast<double>(e.value.samples);
}

constexpr Field kCpuFields[] = {
    INTERVAL_STORED(runqlen_cpu_entry),
    {STORED(runqlen_cpu_entry, key.zero)},
    {STORED(runqlen_cpu_entry, key.cpu), .optional = true, COMPUTED(cpu_number), .key = "cpu", .title = "CPU",
     .width = 5, .help = "which, with -C", .with = "by-cpu"},
    {STORED(runqlen_cpu_entry, value.samples), .key = "samples", .title = "SAMPLES", .width = 9,
     .help = "of the CPUs that are shown"},
    {STORED(runqlen_cpu_entry, value.busy),
     COMPUTED([](const runqlen_cpu_entry &e) { return 100 * part(e, e.value.busy); }), .key = "busy_percent",
     .title = "BUSY", .unit = Unit::kPercent, .width = 7, .help = "part of the samples in which the CPU was not idle"},
    {STORED(runqlen_cpu_entry, value.occupied),
     COMPUTED([](const runqlen_cpu_entry &e) { return 100 * part(e, e.value.occupied); }), .key = "occupancy_percent",
     .title = "OCCUPANCY", .unit = Unit::kPercent, .width = 9, .help = "part in which a thread was waiting for it"},
    {STORED(runqlen_cpu_entry, value.waiting),
     COMPUTED([](const runqlen_cpu_entry &e) { return part(e, e.value.waiting); }), .key = "waiting_avg",
     .title = "WAITING", .width = 8, .help = "how many waited, on average of all samples"},
};
constexpr RecordType kCpu = record_type<runqlen_cpu_entry>("cpu", kCpuFields);

constexpr std::string_view kLosses[] = {"samples not taken: the CPU stood still, or its interrupts were off"};
constexpr View kViews[] = {
    {.name = "histograms", .shape = histogram_spec<runqlen_entry>(kSlot, "lengths", "lengths_by", kLosses)},
    {.option = "occupancy",
     .name = "the table of --occupancy",
     .shape = table_spec<runqlen_cpu_entry>(kCpu, "cpus", "occupancy_percent", kLosses)},
};

constexpr Hook kHooks[] = {{.name = "cpu_clock"}};
constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint32_t kLengths = 128;  // of one CPU: slots of all lengths up to a million are less

int trace(const Values &values, Session &session, Object &object) {
  const uint32_t cpus = values.given("by-cpu") ? possible_cpus() : 1;
  object.sampling().set_rate(values.number("frequency"));
  object.set_constant("period_ns", kSecond / values.number("frequency"));
  object.set_max_entries("lengths_by", kLengths * cpus);
  object.set_max_entries("cpus", cpus + 1);  // and the others, of which there are none
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_runqlen = {
    .name = "runqlen",
    .subsystem = Subsystem::kCpus,
    .summary = "show how many threads wait for a CPU, or how often some do",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = runqlen_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
