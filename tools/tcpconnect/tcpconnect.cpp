// strata tcpconnect: each attempt to connect by TCP, and how it ended; or their number.
#include "bpf/object.h"
#include "tcpconnect.counts.h"
#include "tcpconnect.manual.h"
#include "tcpconnect.skel.h"

namespace strata {

extern const Tool tool_tcpconnect;

namespace {

constexpr Option kOptions[] = {
    {.name = "by",
     .value = "KEY,...",
     .kind = OptionKind::kText,
     .help = "a table by destination,port,source,process,uid"},
    kIpv4Option,
    kIpv6Option,
    kLocalPortOption,
    kRemotePortOption,
    kRemoteOption,
    kSockUidOption,
    {.name = "failed", .letter = 'x', .help = "only those that failed"},
    {.name = "unsent", .help = "also what connect() refuses before it sends a SYN"},
    {.name = "min-latency",
     .letter = 'm',
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "only those that took so long (10ms, 1s)"},
    {.name = "print-uid", .letter = 'U', .help = "also show UID"},
    {.name = "time", .letter = 'T', .help = "also show TIME"},
};

constexpr Hook kHooks[] = {{.name = "inet_sock_set_state"}, {.name = "sys_exit"}};
const Blueprint kLoads[] = {{.elf = tcpconnect_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks}};

int run(const Values &values, Session &session) {
  const uint32_t by = asked_by(values);
  Skeleton<tcpconnect_bpf> skel;
  Object object(skel->skeleton, kHooks);
  choose_socks(values, object);
  object.set_knob("min_ns", values.duration_ns("min-latency"));
  object.set_knob("with_unsent", values.given("unsent"));
  object.enable("sys_exit", values.given("unsent"));
  object.set_knob("failed_only", values.given("failed"));
  object.set_knob("count_by", by);
  if (by != 0) {
    show_counts(session, tool_tcpconnect, by);
    return run_table(session, object, "counts", kCounts);
  }
  show_lines(session, tool_tcpconnect, kConnectLineColumns, "--by");
  object.set_max_entries("counts", 1);
  return run_events(session, object, kEvents);
}

int replay(Recording &recording, Session &session) {
  const uint32_t by = recorded_by(recording);
  if (by == 0) {
    show_lines(session, tool_tcpconnect, kConnectLineColumns, "--by");
    return replay_events(recording, session, kEvents);
  }
  show_counts(session, tool_tcpconnect, by);
  return replay_table(recording, session, kCounts);
}

}  // namespace

extern const Tool tool_tcpconnect = {
    .name = "tcpconnect",
    .summary = "shows each attempt to connect by TCP: to where, how long it took, and the error; or counts them",
    .manual = kTcpconnectManual,
    .details = kTcpconnectDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesBuffer | kTakesColumns | kTakesTable,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
