// strata cpudist: how long threads stay on a CPU, and off it.
#include "cpudist/cpudist.h"
#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "cpudist.manual.h"
#include "cpudist.skel.h"
#include "lib/core/hist_slots.h"
#include "render/sink.h"
#include "run/histogram.h"
#include "run/names.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {{.name = "sched_switch"}};
constexpr Option kOptions[] = {
    {.name = "off-cpu", .letter = 'O', .help = "time off the CPU, asleep or waiting for it, instead of on it"},
    {.name = "blocked", .help = "with -O: not where the CPU was taken away"},
    {.name = "idle", .letter = 'I', .help = "idle CPUs, too, as threads named swapper/CPU"},
    {.name = "by-process", .letter = 'P', .help = "one for each process"},
    {.name = "by-thread", .letter = 'L', .help = "one for each thread"},
    {.name = "by-cgroup", .letter = 'C', .help = "one for each cgroup (v2)"},
    {.name = "by-cpu", .help = "one for each CPU; with -O the one that was got"},
};
constexpr Column kColumns[] = {
    {.key = "dur_ns", .title = "TIME", .unit = Unit::kNs, .help = "how long", .by_default = false},
    {.key = "state", .title = "STATE", .help = "on-cpu, or off-cpu with -O", .by_default = false},
    {.key = "cpu", .title = "CPU", .help = "with --by-cpu", .by_default = false},
    {.key = "cgroup", .title = "CGROUP", .help = "with -C", .by_default = false},
    {.key = "tgid", .title = "PID", .help = "with -P, -L: the process", .by_default = false},
    {.key = "tid", .title = "TID", .help = "with -L: the thread", .by_default = false},
    {.key = "comm", .title = "COMM", .help = "its name", .by_default = false},
};
constexpr WireField kFields[] = {
    WIRE_NUMBER(cpudist_entry, from_ns),
    WIRE_NUMBER(cpudist_entry, to_ns),
    {"count", offsetof(cpudist_entry, value.count), 8},
    {"cgroup", offsetof(cpudist_entry, key.cgroup), 8},
    {"by", offsetof(cpudist_entry, key.by), 8},
    {"comm", offsetof(cpudist_entry, key.comm), 16, true},
    {"tgid", offsetof(cpudist_entry, key.tgid), 4},
    {"tid", offsetof(cpudist_entry, key.tid), 4},
    {"cpu", offsetof(cpudist_entry, key.cpu), 4},
    {"slot", offsetof(cpudist_entry, key.slot), 4},
};
constexpr Wire kWire = {"slot", sizeof(cpudist_entry), kFields};
constexpr std::string_view kLosses[] = {"stretches that the program was not run for"};

std::vector<Field> keys_of(const void *entry, Names &names) {
  const cpudist_key &key = static_cast<const cpudist_entry *>(entry)->key;
  std::vector<Field> keys = {{&kColumns[1], key.slot / HIST_SLOTS == CPUDIST_ON ? "on-cpu" : "off-cpu"}};
  const auto put = [&](size_t column, Value value) { keys.push_back({&kColumns[column], std::move(value)}); };
  if (key.by & CPUDIST_BY_CPU) put(2, uint64_t{key.cpu});
  if (key.by & CPUDIST_BY_CGROUP) put(3, names.cgroup(key.cgroup));
  if (key.by & (CPUDIST_BY_PROCESS | CPUDIST_BY_THREAD)) put(4, uint64_t{key.tgid});
  if (key.by & CPUDIST_BY_THREAD) put(5, uint64_t{key.tid});
  if (key.by & (CPUDIST_BY_PROCESS | CPUDIST_BY_THREAD)) put(6, cstr(key.comm));
  return keys;
}
constexpr Histograms kHistograms = histograms_of<cpudist_entry>(kWire, kColumns[0], keys_of, kLosses);

int run(const Values &values, Session &session) {
  const bool off = values.given("off-cpu");
  if (values.given("blocked") && !off) throw usage_error("--blocked is of time off the CPU: with -O");
  const uint32_t by =
      (values.given("by-process") ? CPUDIST_BY_PROCESS : 0) | (values.given("by-thread") ? CPUDIST_BY_THREAD : 0) |
      (values.given("by-cgroup") ? CPUDIST_BY_CGROUP : 0) | (values.given("by-cpu") ? CPUDIST_BY_CPU : 0);
  Skeleton<cpudist_bpf> skel;
  Object object(skel->skeleton, kHooks);
  object.set_knob("times", uint32_t{off ? 1U << CPUDIST_OFF : 1U << CPUDIST_ON});
  object.set_knob("blocked_only", values.given("blocked"));
  object.set_knob("with_idle", values.given("idle"));
  object.set_knob("by", by);
  if (by) return run_histogram(session, object, "stretches_by", kHistograms);
  without_groups(object, "stretches_by");
  return run_histogram(session, object, "stretches", of_slots(kHistograms));
}

const Blueprint kLoads[] = {{.elf = cpudist_bpf::elf_bytes, .hooks = kHooks}};
}  // namespace

extern const Tool tool_cpudist = {
    .name = "cpudist",
    .summary = "histogram of how long threads stay on a CPU, or off it",
    .manual = kCpudistManual,
    .details = kCpudistDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval,
    .formats = kDistributionFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_histogram<kHistograms>,
};

}  // namespace strata
