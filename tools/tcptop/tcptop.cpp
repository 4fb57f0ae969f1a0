// strata tcptop: which TCP sessions, or processes, carry how much.
#include "bpf/object.h"
#include "cli/values.h"
#include "render/sink.h"
#include "run/session.h"
#include "run/tool.h"
#include "sessions.h"
#include "subsys/sock.h"
#include "tcptop.manual.h"
#include "tcptop.rows.h"
#include "tcptop.skel.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kIpv4Option,
    kIpv6Option,
    kLocalPortOption,
    kRemotePortOption,
    kRemoteOption,
    kSockUidOption,
    {.name = "by-process", .letter = 'P', .help = "a row for each process instead of each session"},
};

constexpr Hook kHooks[] = {{.name = "inet_sock_set_state"}};
const Blueprint kLoads[] = {{.elf = tcptop_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks}};

int run(const Values &values, Session &session) {
  Skeleton<tcptop_bpf> skel;
  Object object(skel->skeleton, kHooks);
  choose_socks(values, object);
  return run_table(session, object, tcp_sessions(session, object), kTops);
}

}  // namespace

extern const Tool tool_tcptop = {
    .name = "tcptop",
    .summary = "shows which TCP sessions and processes send and receive how much",
    .manual = kTcptopManual,
    .details = kTcptopDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesTable | kTakesBuffer | kTakesColumns,
    .interval = "1",
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_table<kTops>,
};

}  // namespace strata
