// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata profile: which code runs on the CPUs, by samples with whole stacks.
#include "profile/profile.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/joined.h"
#include "base/outlet.h"
#include "base/text.h"
#include "bpf/object.h"
#include "bpf/sample_event.h"
#include "bpf/sampling.h"
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
#include "subsys/cgroup_columns.h"
#include "subsys/code_place.h"
#include "subsys/stack_columns.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

// In the order of enum profile_by.
constexpr std::string_view kKeys[] = {"prio", "cpu", "cgroup", "tid", "time", "unit", "container", "pod"};

constexpr Option kOwnOptions[] = {
    frequency_option({.name = "frequency", .default_value = "49"}),
    {.name = "event",
     .short_name = 'e',
     .value = "EVENT[:u|:k]",
     .kind = OptionKind::kText,
     .help = "of this by perf's name: cycles, page-faults, r01c0"},
    {.name = "period",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "instead of -F, a sample at each so many of them",
     .low = 1},
    cpu_option(),
    {.name = "by",
     .value = "KEY,...",
     .kind = OptionKind::kText,
     .help = "also by prio,cpu,cgroup,unit,container,pod,tid,time",
     .candidates = [] { return candidates_of(kKeys); }},
    {.name = "ip",
     .value = "[PLACE]",
     .kind = OptionKind::kText,
     .help = "instructions instead, in main, c:qsort, LOW-HIGH",
     .is_value = CodePlace::is_one},
    {.name = "idle", .short_name = 'I', .help = "idle CPUs, too", .constant = "idle"},
};
constexpr auto kOptions = joined(kOwnOptions, kStackOptions);

uint64_t cgroup_of(const profile_entry &e) { return is_by<profile_entry, PROFILE_BY_CGROUP>(e) ? e.key.cgroup : 0; }

constexpr Field kFields[] = {
    INTERVAL_STORED(profile_entry),
    {STORED(profile_entry, value.samples), .key = "samples", .title = "SAMPLES", .width = 7,
     .help = "that found this stack"},
    share_column<profile_entry>({.help = "of all samples of the interval"}),
    pid_column({STORED(profile_entry, key.tgid), .help = "its process"}),
    {STORED(profile_entry, key.by)},
    {STORED(profile_entry, key.zero)},
    tid_column({STORED(profile_entry, key.tid), SHOWN_IF(is_by<profile_entry, PROFILE_BY_TID>), .help = "its thread",
                .with = "by=tid"}),
    {STORED(profile_entry, key.cpu), SHOWN_IF(is_by<profile_entry, PROFILE_BY_CPU>), .key = "cpu", .title = "CPU",
     .width = 3, .help = "where it ran", .with = "by=cpu"},
    {STORED(profile_entry, key.prio), SHOWN_IF(is_by<profile_entry, PROFILE_BY_PRIO>), .key = "prio", .title = "PRIO",
     .width = 4, .help = "its priority; 120: nice 0; below 100: real time", .with = "by=prio"},
    time_column({STORED(profile_entry, key.time_ns), SHOWN_IF(is_by<profile_entry, PROFILE_BY_TIME>),
                 .help = "when, to 1/32 s", .with = "by=time"}),
    cgroup_column<profile_entry, cgroup_of>(
        {STORED(profile_entry, key.cgroup), .width = -24, .help = "its control group (v2)", .with = "by=cgroup"}),
    OWNER_KEYS(profile_entry, PROFILE_BY_, "by=cgroup|by="),
    comm_column({STORED(profile_entry, key.comm), .help = "the thread's name"}),
    stack_column({STORED(profile_entry, key.stack)}),
};
constexpr RecordType kStack = record_type<profile_entry>("profile", kFields);

constexpr TableSpec kStacks = [] {
  TableSpec stacks = weighed(table_spec<profile_entry>(kStack, "samples", "samples", kStackLosses));
  stacks.rate = "frequency";
  stacks.rate_unless = "event";
  return stacks;
}();
constexpr View kViews[] = {{.name = "the stacks", .shape = kStacks, .formats = kTimedStackFormats}};

constexpr Hook kHooks[] = {{.name = "cpu_clock"}};
constexpr uint64_t kSecond = 1'000'000'000;

// Of stackcount, as sched:sched_switch or u:/bin/dd:main; not one of perf's names with a mode.
bool is_place(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  return parts.size() > 1 && parts[1].size() > 1 && !sample_event(parts[0]);
}

void choose_samples(const Values &values, Sampling &sampling) {
  sampling.set_rate(values.number("frequency"));
  if (values.given("event")) {
    const std::optional<SampleEvent> event = sample_event(values.text("event"));
    if (!event && is_place(values.text("event")))
      throw usage_error(
          "-e takes no tracepoint and no function; what leads to one, each time, is counted by: strata stackcount " +
          printable(values.text("event")));
    if (!event)
      throw usage_error(
          "-e takes an event by perf's name, perhaps with :u or :k, such as cycles, instructions:u, "
          "L1-icache-load-misses, page-faults or r01c0, not '" +
          printable(values.text("event")) + "' (what leads to a function: strata stackcount FUNCTION)");
    sampling.set_event(*event);
  }
  if (values.given("period")) {
    if (values.given("frequency")) reject_options(values, {"period"}, "is instead of --frequency");
    if (!values.given("event")) throw usage_error("--period needs -e: of the clock -F sets the rate");
    sampling.set_period(values.number("period"));
  }
  if (values.given("cpu")) sampling.set_cpus(cpus_named(values.text("cpu")));
}

// A run of known duration has no more stacks than samples; each takes 1.6 KiB. Rows apart by time are nearly as many as
// samples, of 0.1 KiB, and those of the past make room at each --interval.
void choose_size(const Values &values, Object &object, bool by_time) {
  constexpr uint64_t kLeast = 1024, kMost = 16384, kMostTimes = 1 << 18;
  const uint64_t duration_ns = values.duration_ns("duration");
  const bool known = duration_ns != 0 && !values.given("period");
  const uint64_t samples =
      known ? (duration_ns / kSecond + 1) * values.number("frequency") * possible_cpus() : UINT64_MAX;
  if (by_time) object.set_max_entries("samples", static_cast<uint32_t>(std::clamp(samples, kMost, kMostTimes)));
  if (known) object.set_max_entries("stacks", static_cast<uint32_t>(std::clamp(samples, kLeast, kMost)));
}

// Only what was sampled there. Looked at as it is read, not in the kernel: a function may be one of a process that has
// not begun yet.
class Instructions {
 public:
  Instructions(std::string_view place, Stacks &stacks) : place_(place), stacks_(stacks) {}

  Source in_place(Source source) {
    source.open = [this, open = std::move(source.open)]() -> ReadCounters {
      return [this, read = open()](const Counters::Each &each) {
        read([&](const void *key, const std::vector<uint64_t> &added) {
          const bool is_in = stacks_.runs_in(place_, static_cast<const profile_key *>(key)->stack);
          (is_in ? in_ : elsewhere_) += added[0];
          if (is_in) each(key, added);
        });
      };
    };
    return source;
  }

  void say_if_none(const std::string &place) const {
    if (in_ == 0)
      say("none of %llu samples was in %s (names are those that profile shows)\n",
          static_cast<unsigned long long>(elsewhere_), printable(place).c_str());
  }

 private:
  CodePlace place_;
  Stacks &stacks_;
  uint64_t in_ = 0, elsewhere_ = 0;
};

int trace(const Values &values, Session &session, Object &object) {
  choose_samples(values, object.sampling());
  const uint32_t by = bits_named(values, "by", kKeys) | (session.out().interval_ns() != 0 ? PROFILE_BY_TIME : 0);
  object.set_constant("by", by);
  object.set_constant("wall_shift_ns", session.clocks().wall_ns(0) % PROFILE_TIME_NS);
  choose_size(values, object, by & PROFILE_BY_TIME);
  Stacks stacks(session, object);
  const Source source = stacks.with_stacks(source_of(object, kStacks.entries));
  if (!values.given("ip")) return run_table(session, object, source);
  stacks.only_innermost();
  const std::string &place = values.text("ip");
  if (place.empty()) return run_table(session, object, source);
  Instructions instructions(place, stacks);
  const int status = run_table(session, object, instructions.in_place(source));
  instructions.say_if_none(place);
  return status;
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
