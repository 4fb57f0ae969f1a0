// strata profile: which code runs on the CPUs, by samples with whole stacks.
#include "profile/profile.h"

#include <algorithm>

#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/cpus.h"
#include "model/columns.h"
#include "profile.manual.h"
#include "profile.skel.h"
#include "run/intervals.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    frequency_option({.name = "frequency", .default_value = "49"}),
    {.name = "idle", .short_name = 'I', .help = "idle CPUs, too", .constant = "idle"},
};
constexpr auto kOptions = joined(kOwnOptions, kStackOptions);

constexpr Field kFields[] = {
    INTERVAL_STORED(profile_entry),
    {STORED(profile_entry, value.samples), .key = "samples", .title = "SAMPLES", .width = 7,
     .help = "that found this stack"},
    {COMPUTED([](const profile_entry &) { return Value(); }), .key = "share_percent", .title = "SHARE",
     .unit = Unit::kPercent, .width = 6, .help = "of all samples of the interval"},
    pid_column({STORED(profile_entry, key.tgid), .help = "its process"}),
    {STORED(profile_entry, key.zero)},
    comm_column({STORED(profile_entry, key.comm), .help = "the thread's name"}),
    {STORED(profile_entry, key.stack), .pointer = true,
     COMPUTED([](uint64_t stack, Resolver &names) { return stack == 0 ? Value() : Value(names.stack(stack)); }),
     .key = "stack", .title = "STACK", .unit = Unit::kStack, .help = "functions, innermost first; _[k]: of the kernel"},
};
constexpr RecordType kStack = record_type<profile_entry>("profile", kFields);

constexpr TableSpec kStacks = [] {
  TableSpec stacks = table_spec<profile_entry>(kStack, "samples", "samples", kStackLosses);
  stacks.weight = "samples";
  stacks.share = "share_percent";
  return stacks;
}();
constexpr View kViews[] = {{.name = "the stacks", .shape = kStacks}};

constexpr Hook kHooks[] = {{.name = "cpu_clock"}};
constexpr uint64_t kSecond = 1'000'000'000;

// A run of known duration has no more stacks than samples; each takes 1.6 KiB.
void choose_size(const Values &values, Object &object) {
  constexpr uint64_t kLeast = 1024, kMost = 16384;
  const uint64_t duration_ns = values.duration_ns("duration");
  if (duration_ns == 0) return;
  const uint64_t samples = (duration_ns / kSecond + 1) * values.number("frequency") * possible_cpus();
  object.set_max_entries("stacks", static_cast<uint32_t>(std::clamp(samples, kLeast, kMost)));
}

int trace(const Values &values, Session &session, Object &object) {
  object.set_rate(values.number("frequency"));
  choose_size(values, object);
  Stacks stacks(session, object);
  return run_table(session, object, stacks.with_stacks(source_of(object, kStacks.entries)));
}

}  // namespace

extern const Tool tool_profile = {
    .name = "profile",
    .subsystem = Subsystem::kCpus,
    .summary = "sample which code runs on the CPUs, with whole stacks",
    .manual = kManual,
    .operands = kDurationOperands,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = profile_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
