// strata runqlen: how many threads wait for a CPU.
#include "bpf/object.h"
#include "kern/cpus.h"
#include "runqlen.manual.h"
#include "runqlen.rows.h"
#include "runqlen.skel.h"

namespace strata {

extern const Tool tool_runqlen;

namespace {

constexpr Hook kHooks[] = {{.name = "cpu_clock"}};
constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint32_t kLengths = 128;  // of one CPU: slots of all lengths up to a million are less
const Blueprint kLoads[] = {{.elf = runqlen_bpf::elf_bytes, .hooks = kHooks}};

int run(const Values &values, Session &session) {
  const RunqlenWay way = {.by_cpu = values.given("by-cpu"), .in_rows = values.given("occupancy")};
  show_way(tool_runqlen, session, way);
  Skeleton<runqlen_bpf> skel;
  Object object(skel->skeleton, kHooks);
  object.set_rate(values.number("frequency"));
  object.set_knob("period_ns", kSecond / values.number("frequency"));
  object.set_knob("by_cpu", way.by_cpu);
  object.set_knob("in_rows", way.in_rows);
  const uint32_t cpus = way.by_cpu ? possible_cpus() : 1;
  object.set_max_entries("lengths_by", kLengths * cpus);
  object.set_max_entries("cpus", cpus);
  session.loop().every(kSecond, [&object] { object.follow_cpus(); });
  if (way.in_rows) return run_table(session, object, "cpus", kRunqlenTops);
  if (way.by_cpu) return run_histogram(session, object, "lengths_by", kRunqlenHistograms);
  Histograms alone = of_slots(kRunqlenHistograms);
  alone.keys = nullptr;
  return run_histogram(session, object, "lengths", alone);
}

int replay(Recording &recording, Session &session) {
  const RunqlenWay way = recorded_way(recording);
  show_way(tool_runqlen, session, way);
  if (way.in_rows) return replay_table(recording, session, kRunqlenTops);
  return replay_histogram(recording, session, kRunqlenHistograms);
}

}  // namespace

extern const Tool tool_runqlen = {
    .name = "runqlen",
    .summary = "histogram of how many threads wait for a CPU, or how often some do",
    .manual = kRunqlenManual,
    .details = kRunqlenDetails,
    .options = kRunqlenOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesColumns | kTakesTable,
    .formats = kDistributionFormats,
    .columns = kRunqlenColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
