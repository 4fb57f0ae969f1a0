// strata tcplife: each TCP session at its end: what went over it, and how well.
#include "bpf/object.h"
#include "cli/values.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/sock.h"
#include "subsys/sock_owners.h"
#include "tcplife.manual.h"
#include "tcplife.rows.h"
#include "tcplife.skel.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kIpv4Option,
    kIpv6Option,
    kLocalPortOption,
    kRemotePortOption,
    kRemoteOption,
    kSockUidOption,
    {.name = "min-life",
     .letter = 'm',
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "only sessions that lasted so long (100ms, 2s)"},
    {.name = "time", .letter = 'T', .help = "also show TIME"},
};

constexpr Hook kHooks[] = {{.name = "inet_sock_set_state"}};
const Blueprint kLoads[] = {{.elf = tcplife_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks}};

int run(const Values &values, Session &session) {
  Skeleton<tcplife_bpf> skel;
  Object object(skel->skeleton, kHooks);
  choose_socks(values, object);
  tell_socket_owners(session, object);
  object.set_knob("min_ns", values.duration_ns("min-life"));
  return run_events(session, object, kEvents);
}

}  // namespace

extern const Tool tool_tcplife = {
    .name = "tcplife",
    .summary = "shows each TCP session at its end: bytes, retransmits, round-trip time, duration",
    .manual = kTcplifeManual,
    .details = kTcplifeDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
