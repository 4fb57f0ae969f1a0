// strata profile: which code runs on the CPUs, by samples with whole stacks.
#include "profile/profile.h"

#include <algorithm>

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

constexpr Option kOptions[] = {
    frequency_option({.name = "frequency", .default_value = "49"}),
    {.name = "user-stacks", .short_name = 'U', .help = "without the kernel's functions"},
    {.name = "kernel-stacks", .short_name = 'K', .help = "the kernel's functions alone"},
    {.name = "idle", .short_name = 'I', .help = "idle CPUs, too", .constant = "idle"},
};

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

// From LOSS_TOOL on: LOSS_STACK, LOSS_STACK_REQUEST, and LOSS_STACK_CUT + enum stack_end.
constexpr std::string_view kLosses[] = {
    "stack found no room: its samples are counted without",
    "processes not looked at: the ring buffer of requests was full",
    "stacks cut short: the process was not known (yet)",
    "stacks cut short: an address in no mapping that was known",
    "stacks cut short: code without unwind information",
    "stacks cut short: unwind information of a rare kind",
    "stacks cut short: memory could not be read",
    "stacks cut short: more than 128 functions",
    "stacks cut short: a 32-bit program",
};
constexpr TableSpec kStacks = [] {
  TableSpec stacks = table_spec<profile_entry>(kStack, "samples", "samples", kLosses);
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
  if (values.given("user-stacks")) reject_options(values, {"kernel-stacks"}, "has nothing to show with --user-stacks");
  object.set_rate(values.number("frequency"));
  object.set_constant("stack_user", !values.given("kernel-stacks"));
  object.set_constant("stack_kernel", !values.given("user-stacks"));
  choose_size(values, object);
  Stacks stacks(session, object);
  Source source = source_of(object, kStacks.entries);
  source.open = [&stacks, open = std::move(source.open)] {
    stacks.start();
    return open();
  };
  source.frames = [&stacks](uint64_t key, const KernelName &kernel_name) { return stacks.frames(key, kernel_name); };
  return run_table(session, object, source);
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
