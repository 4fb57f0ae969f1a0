// strata syscount: which system calls are made, how often, how long they take, and which fail.
#include "bpf/object.h"
#include "syscount.manual.h"
#include "syscount.rows.h"
#include "syscount.skel.h"
#include "syscount.wanted.h"

namespace strata {

extern const Tool tool_syscount;

namespace {

constexpr Hook kHooks[] = {{.name = "sys_exit"}, {.name = "sys_enter"}};
const Blueprint kLoads[] = {{.elf = syscount_bpf::elf_bytes, .hooks = kHooks}};

int run(const Values &values, Session &session) {
  const SyscountWay way = asked_way(values);
  Skeleton<syscount_bpf> skel;
  Object object(skel->skeleton, kHooks);
  object.enable("sys_enter", way.timed);
  object.set_knob("by", way.by);
  object.set_knob("with_time", way.timed);
  object.set_knob("only_some", values.given("failed") || values.given("error") || values.given("calls"));
  object.set_knob("only_failed", values.given("failed"));
  if (values.given("error")) object.set_knob("only_error", wanted_error(values.text("error")));
  object.set_knob("only_wanted", values.given("calls"));
  if (values.given("calls")) object.set_knob("wanted", wanted_calls(values.text("calls")));
  if (way.by == SYSCOUNT_BY_CALL)
    for (const char *unused : {"cells", "parts"}) object.set_max_entries(unused, 1);
  show_way(session, tool_syscount, way);
  return run_table(session, object, way.by == SYSCOUNT_BY_CALL ? "calls" : "parts", syscount_tops(way));
}

int replay(Recording &recording, Session &session) {
  const SyscountWay way = recorded_way(recording);
  show_way(session, tool_syscount, way);
  return replay_table(recording, session, syscount_tops(way));
}

}  // namespace

extern const Tool tool_syscount = {
    .name = "syscount",
    .summary = "count system calls: how many, how long, and which failed",
    .manual = kSyscountManual,
    .details = kSyscountDetails,
    .options = kSyscountOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesColumns | kTakesTable,
    .formats = kRowFormats,
    .columns = kCallColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
