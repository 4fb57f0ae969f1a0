// strata tcpconnect: each attempt to connect by TCP, and how it ended.
#include "bpf/object.h"
#include "cli/values.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/session.h"
#include "run/sock.h"
#include "run/tool.h"
#include "tcpconnect.manual.h"
#include "tcpconnect.rows.h"
#include "tcpconnect.skel.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
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
  Skeleton<tcpconnect_bpf> skel;
  Object object(skel->skeleton, kHooks);
  choose_socks(values, object);
  object.set_knob("min_ns", values.duration_ns("min-latency"));
  object.set_knob("with_unsent", values.given("unsent"));
  object.enable("sys_exit", values.given("unsent"));
  object.set_knob("failed_only", values.given("failed"));
  return run_events(session, object, kEvents);
}

}  // namespace

extern const Tool tool_tcpconnect = {
    .name = "tcpconnect",
    .summary = "shows each attempt to connect by TCP: to where, how long it took, and the error",
    .manual = kTcpconnectManual,
    .details = kTcpconnectDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
