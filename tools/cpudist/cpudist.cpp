// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata cpudist: how long threads stay on a CPU, and off it.
#include "cpudist/cpudist.h"

#include "base/error.h"
#include "bpf/object.h"
#include "cpudist.manual.h"
#include "cpudist.skel.h"
#include "lib/core/hist_slots.h"
#include "model/columns.h"
#include "run/tool.h"
#include "subsys/sched_by.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "off-cpu", .short_name = 'O', .help = "time off the CPU, asleep or waiting for it, instead of on it"},
    {.name = "blocked", .help = "with -O: not where the CPU was taken away", .constant = "blocked_only"},
    {.name = "idle",
     .short_name = 'I',
     .help = "idle CPUs, too, as threads named swapper/CPU",
     .constant = "with_idle"},
    kByProcessOption,
    kByThreadOption,
    kByCgroupOption,
    kByOwnerOption,
    {.name = "by-cpu", .help = "one for each CPU; with -O the one that was got"},
};

constexpr Field kFields[] = {
    SLOT_STORED(cpudist_entry),
    {STORED(cpudist_entry, key.by)},
    {COMPUTED(slot_values), .key = "dur_ns", .title = "TIME", .unit = Unit::kNs, .help = "how long"},
    {STORED(cpudist_entry, key.slot),
     COMPUTED([](const cpudist_entry &e) { return e.key.slot / HIST_SLOTS == CPUDIST_ON ? "on-cpu" : "off-cpu"; }),
     .key = "cpu_state", .title = "STATE", .help = "on-cpu, or off-cpu with -O"},
    by_cpu_column<cpudist_entry>("with --by-cpu"),
    by_cgroup_column<cpudist_entry>("with -C"),
    OWNER_KEYS(cpudist_entry, SCHED_BY_, "by-cgroup|by-owner="),
    by_tgid_column<cpudist_entry>("with -P, -L: the process"),
    by_tid_column<cpudist_entry>("with -L: the thread"),
    by_comm_column<cpudist_entry>("its name"),
};
constexpr RecordType kSlot = record_type<cpudist_entry>("slot", kFields);
constexpr std::string_view kLosses[] = {"stretches that the program was not run for"};
constexpr View kViews[] = {
    {.name = "histograms", .shape = histogram_spec<cpudist_entry>(kSlot, "stretches", "stretches_by", kLosses)}};

constexpr Hook kHooks[] = {{.name = "sched_switch"}};

int trace(const Values &values, Session &session, Object &object) {
  const bool off = values.given("off-cpu");
  if (values.given("blocked") && !off) throw usage_error("--blocked is of time off the CPU: with -O");
  const uint32_t by = sched_by(values);
  object.set_constant("times", uint32_t{off ? 1U << CPUDIST_OFF : 1U << CPUDIST_ON});
  object.set_constant("by", by);
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_cpudist = {
    .name = "cpudist",
    .subsystem = Subsystem::kCpus,
    .summary = "show how long threads stay on a CPU, or off it",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = cpudist_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
