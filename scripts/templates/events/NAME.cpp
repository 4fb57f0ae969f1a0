// strata TOOL_NAME: TODO say in one line what it shows.
#include "TOOL_NAME/TOOL_NAME.h"

#include "TOOL_NAME.skel.h"
#include "bpf/object.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {{.name = "sched_process_exec"}};

constexpr Column kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "when it happened"},
    {.key = "tgid", .title = "PID", .width = 7, .help = "the process"},
    {.key = "tid", .title = "TID", .width = 7, .help = "the thread", .by_default = false},
    {.key = "comm", .title = "COMM", .width = -16, .help = "name of the task"},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(TOOL_NAME_event, ts_ns),
    WIRE_NUMBER(TOOL_NAME_event, tgid),
    WIRE_NUMBER(TOOL_NAME_event, tid),
    WIRE_TEXT(TOOL_NAME_event, comm),
};
constexpr Wire kWire = {"event", sizeof(TOOL_NAME_event), kFields};

void give(const TOOL_NAME_event &e, Cells &cells, Names &) {
  cells.number(e.ts_ns);
  cells.number(e.tgid);
  cells.number(e.tid);
  cells.comm(e.comm);
}

constexpr Events kEvents = events_of<TOOL_NAME_event, give>(kWire);

int run(const Values &, Session &session) {
  Skeleton<TOOL_NAME_bpf> skel;
  Object object(skel->skeleton, kHooks);
  return run_events(session, object, kEvents);
}

}  // namespace

extern const Tool tool_TOOL_NAME;
const Tool tool_TOOL_NAME = {
    .name = "TOOL_NAME",
    .summary = "shows each program that is executed",
    .manual =
        "TODO explain one real example to somebody who has the problem but not the knowledge.\n\n"
        "  strata TOOL_NAME -- make\n",
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kColumns,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
