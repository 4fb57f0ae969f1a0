// strata dropmon: where in the kernel packets are dropped, and why.
#include "bpf/object.h"
#include "dropmon.manual.h"
#include "dropmon.skel.h"
#include "dropmon.ways.h"

namespace strata {

extern const Tool tool_dropmon;

namespace {

constexpr Hook kHooks[] = {{.name = "kfree_skb"}};
const Blueprint kLoads[] = {{.elf = dropmon_bpf::elf_bytes, .hooks = kHooks}};

int run(const Values &values, Session &session) {
  const DropWay way = asked_drop_way(values);
  Skeleton<dropmon_bpf> skel;
  Object object(skel->skeleton, kHooks);
  choose_drops(values, object, way);
  object.set_knob("unfiltered", !session.asks_for_tasks() && !asks_for_drops(values));
  show_drops(session, tool_dropmon, way);
  return way.listed ? run_events(session, object, kDropEvents) : run_table(session, object, "drops", kDropTops);
}

int replay(Recording &recording, Session &session) {
  const DropWay way = recorded_drop_way(recording);
  show_drops(session, tool_dropmon, way);
  return way.listed ? replay_events(recording, session, kDropEvents) : replay_table(recording, session, kDropTops);
}

}  // namespace

extern const Tool tool_dropmon = {
    .name = "dropmon",
    .summary = "count packets that the kernel drops: where, why, and of which device",
    .manual = kDropmonManual,
    .details = kDropmonDetails,
    .options = kDropOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesBuffer | kTakesColumns | kTakesTable,
    .formats = kRowFormats,
    .columns = kDropColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
