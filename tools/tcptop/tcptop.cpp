// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata tcptop: which TCP sessions, or processes, carry how much.
#include "tcptop/tcptop.h"

#include "base/joined.h"
#include "bpf/object.h"
#include "model/columns.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "sessions.h"
#include "subsys/sock.h"
#include "tcptop.manual.h"
#include "tcptop.skel.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    {.name = "by-process", .short_name = 'P', .help = "a row for each process instead of each session"},
};
constexpr auto kOptions = joined(kSockOptions, kOwnOptions);

// What is written of a session's end; of a process, which has no ends, nothing.
template <void (*kWrite)(const tcptop_entry &, RowWriter &)>
void if_session(const tcptop_entry &e, RowWriter &out) {
  e.key.ends.local_port != 0 ? kWrite(e, out) : out.none();
}

constexpr Field kFields[] = {
    INTERVAL_STORED(tcptop_entry),
    pid_column({STORED(tcptop_entry, key.tgid), .optional = true, .width = 6,
                .help = "the process that has the session; empty: not known"}),
    comm_column({STORED(tcptop_entry, key.comm), COMPUTED(owner_comm<tcptop_entry>), .help = "name of the process"}),
    local_port_column(
        {STORED(tcptop_entry, key.ends.local_port), .optional = true, .help = "port of this end; with -P empty"}),
    {COMPUTED(if_session<write_remote_end>), .key = "remote", .title = "REMOTE", .width = kEndpointWidth,
     .help = "address and port of the other end"},
    {STORED(tcptop_entry, value.tx_bytes), .key = "tx_bytes", .title = "SENT", .unit = Unit::kBytes, .width = 7,
     .help = "data sent, each byte once"},
    {STORED(tcptop_entry, value.rx_bytes), .key = "rx_bytes", .title = "GOT", .unit = Unit::kBytes, .width = 7,
     .help = "data received"},
    {STORED(tcptop_entry, value.again), .key = "retransmits", .title = "RTX", .width = 4,
     .help = "segments that were sent again"},
    {COMPUTED([](const tcptop_entry &e) { return e.value.tx_bytes + e.value.rx_bytes; }), .key = "bytes",
     .title = "BYTES", .unit = Unit::kBytes, .width = 7, .help = "both, the order of the rows", .hidden = true},
    ENDS_STORED(tcptop_entry, key.ends),
    {COMPUTED(if_session<write_local_end>), .key = "local", .title = "LOCAL", .width = kEndpointWidth,
     .help = "address and port of this end", .hidden = true},
    {COMPUTED(if_session<write_local_address>), .key = "local_address", .title = "LADDR", .width = -15,
     .help = "the address alone", .hidden = true},
    {COMPUTED(if_session<write_remote_address>), .key = "remote_address", .title = "RADDR", .width = -15,
     .help = "the address alone", .hidden = true},
    {STORED(tcptop_entry, key.ends.remote_port),
     SHOWN_IF([](const tcptop_entry &e) { return e.key.ends.local_port != 0; }), .key = "remote_port", .title = "RPORT",
     .width = 5, .help = "the port alone", .hidden = true},
    uid_column({STORED(tcptop_entry, key.uid), .help = "the user whose socket it is", .hidden = true}),
};
constexpr RecordType kTraffic = record_type<tcptop_entry>("session", kFields);
constexpr View kViews[] = {{.name = "the table", .shape = table_spec<tcptop_entry>(kTraffic, "", "bytes")}};

constexpr Hook kHooks[] = {{.name = "inet_sock_set_state"}};

int trace(const Values &values, Session &session, Object &object) {
  choose_socks(values, object);
  if (session.filters_tasks()) object.set_max_entries("sock_owners", TcpSessions::kAsked);
  return run_table(session, object, tcp_sessions(session, object));
}

}  // namespace

extern const Tool tool_tcptop = {
    .name = "tcptop",
    .subsystem = Subsystem::kNetwork,
    .summary = "show how much TCP sessions and processes send and receive",
    .manual = kManual,
    .options = kOptions,
    .common_options = kTracing | kHasBuffer,
    .interval = "1",
    .views = kViews,
    .programs = {.elf = tcptop_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks},
    .trace = trace,
};

}  // namespace strata
