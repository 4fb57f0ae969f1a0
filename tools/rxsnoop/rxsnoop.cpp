// strata rxsnoop: each packet that a network device hands to the kernel, or how many, or how large.
#include "bpf/object.h"
#include "rxsnoop.manual.h"
#include "rxsnoop.rows.h"
#include "rxsnoop.skel.h"

namespace strata {

extern const Tool tool_rxsnoop;

namespace {

constexpr Hook kHooks[] = {{.name = "netif_receive_skb"}};
const Blueprint kLoads[] = {{.elf = rxsnoop_bpf::elf_bytes, .hooks = kHooks}};

int run(const Values &values, Session &session) {
  const RxWay way = asked_rx_way(values);
  Skeleton<rxsnoop_bpf> skel;
  Object object(skel->skeleton, kHooks);
  choose_packets(values, object);
  object.set_knob("way", way.way);
  object.set_knob("by_device", way.by_device);
  object.set_knob("plain",
                  way.way == RX_SIZES && !way.by_device && !session.asks_for_tasks() && !asks_for_packets(values));
  if (way.way != RX_RATE) object.set_max_entries("packets", 1);
  if (!way.by_device) object.set_max_entries("sizes_by", 1);
  show_packets(session, tool_rxsnoop, way);
  if (way.way == RX_RATE) return run_table(session, object, "packets", kRxTops);
  if (way.way == RX_SIZES)
    return run_histogram(session, object, way.by_device ? "sizes_by" : "sizes", rx_sizes(way.by_device));
  return run_events(session, object, kRxEvents);
}

int replay(Recording &recording, Session &session) {
  const RxWay way = recorded_rx_way(recording);
  show_packets(session, tool_rxsnoop, way);
  if (way.way == RX_RATE) return replay_table(recording, session, kRxTops);
  if (way.way == RX_SIZES) return replay_histogram(recording, session, rx_sizes(way.by_device));
  return replay_events(recording, session, kRxEvents);
}

}  // namespace

extern const Tool tool_rxsnoop = {
    .name = "rxsnoop",
    .summary = "show each packet that is received, or how many, or how large they are",
    .manual = kRxsnoopManual,
    .details = kRxsnoopDetails,
    .options = kRxOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesBuffer | kTakesColumns | kTakesTable,
    .formats = kDistributionFormats,
    .columns = kRxColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
