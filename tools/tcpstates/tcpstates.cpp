// strata tcpstates: each change of the state of a TCP socket.
#include "bpf/object.h"
#include "cli/values.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/sock.h"
#include "subsys/sock_owners.h"
#include "tcpstates.manual.h"
#include "tcpstates.rows.h"
#include "tcpstates.skel.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kIpv4Option,
    kIpv6Option,
    kLocalPortOption,
    kRemotePortOption,
    kRemoteOption,
    kSockUidOption,
    {.name = "time", .letter = 'T', .help = "also show TIME"},
};

constexpr Hook kHooks[] = {{.name = "inet_sock_set_state"}};
const Blueprint kLoads[] = {{.elf = tcpstates_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks}};

int run(const Values &values, Session &session) {
  Skeleton<tcpstates_bpf> skel;
  Object object(skel->skeleton, kHooks);
  choose_socks(values, object);
  tell_socket_owners(session, object);
  return run_events(session, object, kEvents);
}

}  // namespace

extern const Tool tool_tcpstates = {
    .name = "tcpstates",
    .summary = "shows each change of the state of a TCP socket, and how long it was in the one before",
    .manual = kTcpstatesManual,
    .details = kTcpstatesDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
