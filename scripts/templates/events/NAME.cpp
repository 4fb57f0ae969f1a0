// strata TOOL_NAME: TODO say in one line what it shows.
#include "TOOL_NAME.h"

#include "TOOL_NAME.skel.h"
#include "base/text.h"
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

Row decode(const TOOL_NAME_event &e) { return {uint64_t{e.ts_ns}, uint64_t{e.tgid}, uint64_t{e.tid}, cstr(e.comm)}; }

int run(const Values &, Session &session) {
  Skeleton<TOOL_NAME_bpf> skel;
  Object object(skel->skeleton, kHooks);
  return run_events<TOOL_NAME_event, decode>(session, object);
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
};

}  // namespace strata
