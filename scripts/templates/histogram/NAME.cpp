// strata TOOL_NAME: TODO say in one line what it shows.
#include "TOOL_NAME/TOOL_NAME.h"

#include "TOOL_NAME.skel.h"
#include "bpf/object.h"
#include "kern/syscall.h"
#include "render/sink.h"
#include "run/histogram.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {{.name = "sys_exit"}};

constexpr Column kColumns[] = {
    {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .help = "what write() returned"},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(TOOL_NAME_entry, from_ns),
    WIRE_NUMBER(TOOL_NAME_entry, to_ns),
    {"slot", offsetof(TOOL_NAME_entry, key.slot), 4},
    {"count", offsetof(TOOL_NAME_entry, value.count), 8},
};
constexpr Wire kWire = {"slot", sizeof(TOOL_NAME_entry), kFields};
constexpr Histograms kHistograms = histograms_of<TOOL_NAME_entry>(kWire, kColumns[0]);

int run(const Values &, Session &session) {
  Skeleton<TOOL_NAME_bpf> skel;
  Object object(skel->skeleton, kHooks);
  object.set_knob("wanted_syscall", syscall_number("write"));
  return run_histogram(session, object, "sizes", kHistograms);
}

}  // namespace

extern const Tool tool_TOOL_NAME;
const Tool tool_TOOL_NAME = {
    .name = "TOOL_NAME",
    .summary = "shows how the sizes of writes are distributed",
    .manual =
        "TODO explain one real example to somebody who has the problem but not the knowledge.\n\n"
        "  strata TOOL_NAME -i 1\n",
    .takes = kTakesTracing | kTakesInterval,
    .formats = kDistributionFormats,
    .columns = kColumns,
    .run = run,
    .replay = replay_histogram<kHistograms>,
};

}  // namespace strata
