// strata tcprtt: the round-trip time of TCP connections.
#include "bpf/object.h"
#include "rec/recording.h"
#include "run/replay.h"
#include "subsys/sock_owners.h"
#include "tcprtt.manual.h"
#include "tcprtt.rows.h"
#include "tcprtt.skel.h"

namespace strata {

extern const Tool tool_tcprtt;

namespace {

constexpr Option kOptions[] = {
    {.name = "by-local", .letter = 'b', .help = "one for each address of this end"},
    {.name = "by-remote", .letter = 'B', .help = "one for each address of the other end"},
    {.name = "by-local-port", .help = "one for each port of this end"},
    {.name = "by-remote-port", .help = "one for each port of the other end"},
    {.name = "average", .letter = 'e', .help = "instead, a table of averages"},
    {.name = "sample", .letter = 's', .help = "each sample that was taken, not the smoothed time"},
    kIpv4Option,
    kIpv6Option,
    kLocalOption,
    kRemoteOption,
    kLocalPortOption,
    kRemotePortOption,
    kSockUidOption,
};

constexpr Hook kHooks[] = {{.name = "tcp_probe"}, {.name = "inet_sock_set_state"}};
const Blueprint kLoads[] = {{.elf = tcprtt_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks}};

uint32_t by_of(const Values &values) {
  return (values.given("by-local") ? RTT_BY_LOCAL : 0) | (values.given("by-local-port") ? RTT_BY_LOCAL_PORT : 0) |
         (values.given("by-remote") ? RTT_BY_REMOTE : 0) | (values.given("by-remote-port") ? RTT_BY_REMOTE_PORT : 0);
}

int run(const Values &values, Session &session) {
  Skeleton<tcprtt_bpf> skel;
  Object object(skel->skeleton, kHooks);
  const uint32_t by = by_of(values);
  const bool averaged = values.given("average");
  choose_socks(values, object);
  if (session.asks_for_tasks()) {
    tell_socket_owners(session, object);
  } else {
    object.enable("inet_sock_set_state", false);
    object.set_max_entries("sock_notes", 1);
    object.set_max_entries("sock_sets", 1);
  }
  object.set_knob("by", by);
  object.set_knob("averaged", averaged);
  object.set_knob("sampled", values.given("sample"));
  if (!averaged) object.set_max_entries("averages", 1);
  if (averaged || by == 0) object.set_max_entries("rtts_by", 1);
  if (averaged) {
    show_averages(session, tool_tcprtt, by);
    return run_table(session, object, "averages", kAverages);
  }
  show_histograms(session, tool_tcprtt);
  if (by != 0) return run_histogram(session, object, "rtts_by", kHistograms);
  Histograms alone = of_slots(kHistograms);
  alone.keys = nullptr;
  return run_histogram(session, object, "rtts", alone);
}

int replay(Recording &recording, Session &session) {
  constexpr const Wire *kWires[] = {&kSlotWire, &kSumWire};
  const WireRecord first = first_record(recording, kWires);
  if (first.wire != &kSumWire) {
    show_histograms(session, tool_tcprtt);
    return replay_histogram(recording, session, kHistograms);
  }
  show_averages(session, tool_tcprtt, reinterpret_cast<const rtt_sum_entry *>(first.bytes.data())->key.by);
  return replay_table(recording, session, kAverages);
}

}  // namespace

extern const Tool tool_tcprtt = {
    .name = "tcprtt",
    .summary = "histogram of the round-trip time of TCP connections, or averages",
    .manual = kTcprttManual,
    .details = kTcprttDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesColumns | kTakesTable,
    .formats = kDistributionFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
