// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata tcplife: each TCP session at its end: what went over it, and how well.
#include "tcplife/tcplife.h"

#include <optional>

#include "base/joined.h"
#include "kern/errno.h"
#include "kern/inet.h"
#include "model/columns.h"
#include "run/tool.h"
#include "subsys/sock.h"
#include "subsys/sock_owners.h"
#include "tcplife.manual.h"
#include "tcplife.skel.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    min_option({.name = "min-life", .help = "only sessions that lasted so long (100ms, 2s)"}),
    kShowTimeOption,
};
constexpr auto kOptions = joined(kSockOptions, kOwnOptions);

std::optional<uint64_t> measured_ns(uint32_t us) { return if_known(us != 0 && us != UINT32_MAX, us * uint64_t{1000}); }

constexpr Field kFields[] = {
    time_column({STORED(session_event, ts_ns), .help = "of the end", .with = "time"}),
    pid_column(
        {STORED(session_event, tgid), .optional = true, .help = "the process whose session it was; empty: not known"}),
    comm_column({STORED(session_event, comm), COMPUTED(owner_comm<session_event>), .width = -10, .help = "its name"}),
    local_port_column({STORED(session_event, ends.local_port)}),
    remote_end<session_event>(),
    {STORED(session_event, tx_bytes), .key = "tx_bytes", .title = "SENT", .unit = Unit::kBytes, .width = 7,
     .help = "data sent, each byte once"},
    {STORED(session_event, rx_bytes), .key = "rx_bytes", .title = "GOT", .unit = Unit::kBytes, .width = 7,
     .help = "data received"},
    {STORED(session_event, again), .key = "retransmits", .title = "RTX", .width = 3,
     .help = "segments that were sent again"},
    {STORED(session_event, srtt_us), COMPUTED(measured_ns), .key = "rtt_ns", .title = "RTT", .unit = Unit::kNs,
     .width = 6, .help = "smoothed round-trip time, at the end"},
    {STORED(session_event, since_ns), COMPUTED([](const session_event &e) { return elapsed_ns(e.since_ns, e.ts_ns); }),
     .key = "life_ns", .title = "LIFE", .unit = Unit::kNs, .width = 6, .help = "how long it was established"},
    {STORED(session_event, min_rtt_us), COMPUTED(measured_ns), .key = "min_rtt_ns", .title = "MINRTT",
     .unit = Unit::kNs, .width = 6, .help = "the least of the last minutes", .hidden = true},
    {STORED(session_event, again_bytes), .key = "retransmitted_bytes", .title = "RTXBYTE", .unit = Unit::kBytes,
     .width = 7, .help = "data that was sent again", .hidden = true},
    {STORED(session_event, begun), COMPUTED([](const session_event &e, RowWriter &out) {
       if (e.begun == BEGUN_HERE) return out.text("here");
       e.begun == BEGUN_THERE ? out.text("there") : out.none();
     }),
     .key = "begun", .title = "BEGUN", .width = -5, .help = "by which end: here or there", .hidden = true},
    {STORED(session_event, last_state), COMPUTED(write_tcp_state), .key = "last_state", .title = "LAST", .width = -11,
     .help = "before CLOSE; LAST_ACK: the other end closed first; ESTABLISHED: a reset", .hidden = true},
    {STORED(session_event, error), .optional = true, COMPUTED(errno_name), .key = "error", .title = "ERROR",
     .width = -12, .help = "what the application gets", .hidden = true},
    ENDS_PARTS(session_event, ends),
    tid_column({STORED(session_event, tid), .optional = true, .width = 6, .help = "the thread that worked on it last",
                .hidden = true}),
    uid_column({STORED(session_event, uid), .help = "the user whose socket it was", .hidden = true}),
    ENDS_STORED(session_event, ends),
    {STORED(session_event, pad)},
};
constexpr RecordType kSession = record_type<session_event>("session", kFields);
constexpr View kViews[] = {{.name = "lines", .shape = EventSpec{.record = &kSession}}};

constexpr Hook kHooks[] = {{.name = "inet_sock_set_state"}};

int trace(const Values &values, Session &session, Object &object) {
  choose_socks(values, object);
  store_socket_owners(session, object);
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_tcplife = {
    .name = "tcplife",
    .subsystem = Subsystem::kNetwork,
    .summary = "show each TCP session at its end: bytes, RTT, duration",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = tcplife_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks},
    .trace = trace,
};

}  // namespace strata
