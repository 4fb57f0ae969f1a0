// strata tcpretrans: each packet that TCP sent again, and why.
#include "bpf/object.h"
#include "rec/recording.h"
#include "run/replay.h"
#include "subsys/sock_owners.h"
#include "tcpretrans.manual.h"
#include "tcpretrans.rows.h"
#include "tcpretrans.skel.h"

namespace strata {

extern const Tool tool_tcpretrans;

namespace {

constexpr Option kOptions[] = {
    {.name = "flows", .letter = 'f', .help = "instead, a table of connections"},
    {.name = "loss-probes", .letter = 'l', .help = "also tail-loss probes with new data, by a function"},
    {.name = "sequence", .letter = 's', .help = "also show SEQ"},
    {.name = "time", .letter = 'T', .help = "also show TIME"},
    kIpv4Option,
    kIpv6Option,
    kLocalOption,
    kRemoteOption,
    kLocalPortOption,
    kRemotePortOption,
    kSockUidOption,
};

constexpr Hook kHooks[] = {
    {.name = "tcp_retransmit_skb"},
    {.name = "tcp_retransmit_synack"},
    {.name = "inet_sock_set_state"},
    {.name = "tcp_send_loss_probe", .required = false, .lost_without = "tail-loss probes with new data (-l)"},
};

const Blueprint kLoads[] = {{.elf = tcpretrans_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks}};

int run(const Values &values, Session &session) {
  Skeleton<tcpretrans_bpf> skel;
  Object object(skel->skeleton, kHooks);
  const bool by_flow = values.given("flows"), probes = values.given("loss-probes");
  if (by_flow && probes) throw usage_error("--loss-probes are no retransmits, which --flows counts");
  choose_socks(values, object);
  tell_socket_owners(session, object);
  object.set_knob("by_flow", by_flow);
  object.enable("tcp_send_loss_probe", probes);
  if (probes && !object.variant("tcp_send_loss_probe")) {
    throw Error(
        "--loss-probes needs the function tcp_send_loss_probe, and this host permits neither fentry nor kprobes");
  }
  if (by_flow) {
    show_flows(session, tool_tcpretrans);
    return run_table(session, object, "flows", kFlows);
  }
  show_lines(session, tool_tcpretrans, kLineColumns, "--flows");
  object.set_max_entries("flows", 1);
  return run_events(session, object, kEvents);
}

int replay(Recording &recording, Session &session) {
  constexpr const Wire *kWires[] = {&kRetransmitWire, &kFlowWire};
  if (first_record(recording, kWires).wire != &kFlowWire) {
    show_lines(session, tool_tcpretrans, kLineColumns, "--flows");
    return replay_events(recording, session, kEvents);
  }
  show_flows(session, tool_tcpretrans);
  return replay_table(recording, session, kFlows);
}

}  // namespace

extern const Tool tool_tcpretrans = {
    .name = "tcpretrans",
    .summary = "shows each packet that TCP sent again, and why, or counts them by connection",
    .manual = kTcpretransManual,
    .details = kTcpretransDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesBuffer | kTakesColumns | kTakesTable,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
