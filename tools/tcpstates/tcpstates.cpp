// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata tcpstates: each change of the state of a TCP socket.
#include "tcpstates/tcpstates.h"

#include "base/joined.h"
#include "kern/errno.h"
#include "kern/inet.h"
#include "model/columns.h"
#include "run/events.h"
#include "run/tool.h"
#include "subsys/sock.h"
#include "subsys/sock_owners.h"
#include "subsys/stacks.h"
#include "tcpstates.manual.h"
#include "tcpstates.skel.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    kShowTimeOption,
};
constexpr auto kOptions = joined(kSockOptions, kOwnOptions);

constexpr Field kFields[] = {
    time_column({STORED(state_event, ts_ns), .help = "of the change", .with = "time"}),
    pid_column({STORED(state_event, tgid), .optional = true, .width = 6,
                .help = "the process whose socket it is; empty: not known"}),
    comm_column({STORED(state_event, comm), COMPUTED(owner_comm<state_event>), .width = -14, .help = "its name"}),
    local_port_column({STORED(state_event, ends.local_port)}),
    remote_end<state_event>(),
    {STORED(state_event, from), COMPUTED(write_tcp_state), .key = "old_state", .title = "FROM", .width = -11,
     .help = "the state that ends"},
    {STORED(state_event, to), COMPUTED(write_tcp_state), .key = "new_state", .title = "TO", .width = -11,
     .help = "the state that begins"},
    {STORED(state_event, since_ns), COMPUTED([](const state_event &e) { return elapsed_ns(e.since_ns, e.ts_ns); }),
     .key = "state_ns", .title = "AFTER", .unit = Unit::kNs, .width = 6, .help = "the time in the state that ends"},
    {STORED(state_event, error), .optional = true, COMPUTED(errno_name), .key = "error", .title = "ERROR", .width = -12,
     .help = "at the change to CLOSE: why, as the application gets it", .hidden = true},
    ENDS_STORED(state_event, ends),
    ENDS_PARTS(state_event, ends),
    tid_column({STORED(state_event, tid), SHOWN_IF([](const state_event &e) { return e.tgid != 0; }), .width = 6,
                .help = "the thread that worked on it last", .hidden = true}),
    uid_column({STORED(state_event, uid), .help = "the user whose socket it is", .hidden = true}),
    {STORED(state_event, sock), .pointer = true, .key = "socket", .title = "SOCKET", .width = 6,
     .help = "a number for it: the same in all lines of a connection's end", .hidden = true},
    {STORED(state_event, child)},
    {STORED(state_event, pad)},
};
constexpr RecordType kState = record_type<state_event>("state", kFields);

// The program skips a child's change from LISTEN, when it had no remote address yet: the record of the next change
// stands for both.
Transform split_children() {
  return [](const void *record, Resolver &, const Emit &emit) {
    if (record == nullptr) return;
    const auto &e = *static_cast<const state_event *>(record);
    if (e.child != 0) {
      state_event first = e;
      first.ts_ns = e.since_ns;
      first.since_ns = 0;
      first.to = e.from;
      first.from = BPF_TCP_LISTEN;
      first.error = 0;
      emit(&first);
    }
    emit(&e);
  };
}

constexpr View kViews[] = {{.name = "lines", .shape = EventSpec{.record = &kState, .transform = split_children}}};

constexpr Hook kHooks[] = {{.name = "inet_sock_set_state"}};

int trace(const Values &values, Session &session, Object &object) {
  choose_socks(values, object);
  store_socket_owners(session, object);
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_tcpstates = {
    .name = "tcpstates",
    .subsystem = Subsystem::kNetwork,
    .summary = "show each change of the state of a TCP socket",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = tcpstates_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks},
    .stacks = kernel_event_stacks(tcpstates_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
