// strata biosnoop: each block I/O with the process that caused it.
#include "biosnoop.manual.h"
#include "biosnoop.rows.h"
#include "biosnoop.skel.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "run/events.h"
#include "run/tool.h"
#include "subsys/block_io.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kDiskOption,
    {"min-latency", 'm', "TIME", OptionKind::kDuration, "only I/O that took so long in all (10ms)"},
    {"failed", 'x', "", OptionKind::kSwitch, "only I/O that ended with an error"},
};

const Blueprint kLoads[] = {{.elf = biosnoop_bpf::elf_bytes, .hooks = kBlockIoHooks, .prepare = prepare_block_io}};

int run(const Values &values, Session &session) {
  Skeleton<biosnoop_bpf> skel;
  Object object(skel->skeleton, kBlockIoHooks);
  prepare_block_io(session, object);
  object.set_knob("min_ns", values.duration_ns("min-latency"));
  object.set_knob("failed_only", values.given("failed"));
  return run_events(session, object, kEvents);
}

}  // namespace

extern const Tool tool_biosnoop = {
    .name = "biosnoop",
    .summary = "shows each block I/O with the process that caused it",
    .manual = kBiosnoopManual,
    .details = kBiosnoopDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
