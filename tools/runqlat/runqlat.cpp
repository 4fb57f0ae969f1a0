// strata runqlat: how long threads wait for a CPU.
#include "runqlat/runqlat.h"

#include "bpf/object.h"
#include "cli/threshold.h"
#include "runqlat.manual.h"
#include "runqlat.rows.h"
#include "runqlat.skel.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {{.name = "sched_switch"}};

uint32_t by_of(const Values &values) {
  return (values.given("by-process") ? RUNQ_BY_PROCESS : 0) | (values.given("by-thread") ? RUNQ_BY_THREAD : 0) |
         (values.given("by-cgroup") ? RUNQ_BY_CGROUP : 0) | (values.given("by-cpu") ? RUNQ_BY_CPU : 0) |
         (values.given("by-pidns") ? RUNQ_BY_PIDNS : 0);
}

int list_waits(const Values &values, Session &session, Object &object, const Tool &tool) {
  refuse(values, {"by-process", "by-thread", "by-cgroup", "by-cpu", "by-pidns", "interval", "count"},
         "is for histograms, not for --slower, which lists waits");
  object.set_knob("listed", true);
  object.set_knob("slower_ns", threshold_ns("slower", values.text("slower"), "all waits"));
  without_groups(object, "waits_by");
  show_waits(session, tool);
  return run_events(session, object, kRunqEvents);
}

const Blueprint kLoads[] = {{.elf = runqlat_bpf::elf_bytes, .hooks = kHooks}};
constexpr Link kLinks[] = {{"runqslower", "--slower=10ms"}};

int run(const Values &values, Session &session);
int replay(Recording &recording, Session &session);

}  // namespace

extern const Tool tool_runqlat = {
    .name = "runqlat",
    .summary = "histogram of how long threads wait for a CPU, or each wait that was long",
    .manual = kRunqlatManual,
    .details = kRunqlatDetails,
    .options = kRunqOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesBuffer,
    .links = kLinks,
    .formats = kDistributionFormats,
    .columns = kRunqColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

namespace {

int run(const Values &values, Session &session) {
  Skeleton<runqlat_bpf> skel;
  Object object(skel->skeleton, kHooks);
  if (values.given("slower")) return list_waits(values, session, object, tool_runqlat);
  const uint32_t by = by_of(values);
  object.set_knob("by", by);
  if (by) return run_histogram(session, object, "waits_by", kRunqHistograms);
  without_groups(object, "waits_by");
  Histograms alone = of_slots(kRunqHistograms);
  alone.keys = nullptr;
  return run_histogram(session, object, "waits", alone);
}

int replay(Recording &recording, Session &session) {
  if (!has_waits(recording)) return replay_histogram(recording, session, kRunqHistograms);
  show_waits(session, tool_runqlat);
  return replay_events(recording, session, kRunqEvents);
}

}  // namespace
}  // namespace strata
