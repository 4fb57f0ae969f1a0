// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata tcpconnect: each attempt to connect by TCP, and how it ended; or their number.
#include "tcpconnect/tcpconnect.h"

#include <cerrno>
#include <functional>
#include <string>
#include <string_view>

#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "model/columns.h"
#include "run/events.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/sock.h"
#include "subsys/stacks.h"
#include "tcpconnect.manual.h"
#include "tcpconnect.skel.h"

namespace strata {
namespace {

constexpr std::string_view kKeys[] = {"destination", "port", "source", "process", "uid"};  // bits CONNECT_BY_*

constexpr Option kFirstOptions[] = {
    {.name = "by",
     .value = "KEY,...",
     .kind = OptionKind::kText,
     .help = "a table by destination,port,source,process,uid",
     .candidates = [] { return candidates_of(kKeys); }},
};
constexpr Option kOwnOptions[] = {
    {.name = "failed", .short_name = 'x', .help = "only those that failed", .constant = "failed_only"},
    {.name = "unsent", .help = "also what connect() refuses before it sends a SYN", .constant = "with_unsent"},
    min_option({.name = "min-latency", .help = "only those that took so long (10ms, 1s)"}),
    {.name = "print-uid", .short_name = 'U', .help = "also show UID"},
    kShowTimeOption,
};
constexpr auto kOptions = joined(kFirstOptions, kSockOptions, kOwnOptions);

// Without an error the task has closed the socket before an answer came, or there was no port for this end.
std::string result_text(const connect_event &e) {
  if (e.established != 0) return "ok";
  if (e.error == EINPROGRESS) return "under way";
  if (e.error != 0) return errno_name(e.error);
  return e.ends.local_port == 0 ? "no port" : "gave up";
}

constexpr Field kFields[] = {
    time_column({STORED(connect_event, ts_ns), .help = "of the answer", .with = "time"}),
    pid_column({STORED(connect_event, tgid), .optional = true, .width = 6,
                .help = "the process that connects; empty: not known"}),
    comm_column({STORED(connect_event, comm), COMPUTED(owner_comm<connect_event>), .help = "its name"}),
    local_port_column({STORED(connect_event, ends.local_port)}),
    remote_end<connect_event>(),
    latency_column({STORED(connect_event, since_ns),
                    COMPUTED([](const connect_event &e) { return elapsed_ns(e.since_ns, e.ts_ns); }),
                    .help = "from the first SYN to the answer"}),
    {STORED(connect_event, error), COMPUTED(result_text), .key = "result", .title = "RESULT", .width = -12,
     .help = "ok, the error, \"no port\", \"gave up\" or \"under way\""},
    {STORED(connect_event, established), COMPUTED([](const connect_event &e) { return e.established != 0; }),
     .key = "established", .title = "OK", .width = -3, .help = "is it established?", .hidden = true},
    {STORED(connect_event, again), .key = "syn_retransmits", .title = "RTX", .width = 3,
     .help = "SYNs that were sent again", .hidden = true},
    ENDS_PARTS(connect_event, ends),
    tid_column(
        {STORED(connect_event, tid), .optional = true, .width = 6, .help = "the thread that connects", .hidden = true}),
    uid_column({STORED(connect_event, uid), .help = "the user whose socket it is", .with = "print-uid"}),
    ENDS_STORED(connect_event, ends),
};
constexpr RecordType kConnect = record_type<connect_event>("connect", kFields);

constexpr Field kCountFields[] = {
    INTERVAL_STORED(connect_entry),
    pid_column({STORED(connect_entry, key.tgid), .optional = true, .width = 6,
                .help = "the process that connects; empty: not known", .with = "by=process"}),
    comm_column({STORED(connect_entry, key.comm), COMPUTED(owner_comm<connect_entry>), .help = "its name",
                 .with = "by=process"}),
    uid_column({STORED(connect_entry, key.uid), SHOWN_IF(is_by<connect_entry, CONNECT_BY_UID>),
                .help = "the user whose socket it is", .with = "by=uid"}),
    {COMPUTED([](const connect_entry &e, RowWriter &out) {
       is_by<connect_entry, CONNECT_BY_SOURCE>(e) ? write_address(out, e.key.local_hi, e.key.local_lo) : out.none();
     }),
     .key = "local_address", .title = "LADDR", .address = true, .width = -15, .help = "address of this end",
     .with = "by=source"},
    {COMPUTED([](const connect_entry &e, RowWriter &out) {
       if (!is_by<connect_entry, CONNECT_BY_DESTINATION>(e)) return out.none();
       write_endpoint(out, e.key.remote_hi, e.key.remote_lo, e.key.remote_port);
     }),
     .key = "remote", .title = "REMOTE", .address = true, .width = kEndpointWidth, .help = "the other end",
     .with = "by=destination"},
    {STORED(connect_entry, key.remote_port), SHOWN_IF(is_by<connect_entry, CONNECT_BY_PORT | CONNECT_BY_DESTINATION>),
     .key = "remote_port", .title = "RPORT", .width = 5, .help = "its port", .with = "by=port"},
    {STORED(connect_entry, value.attempts), .key = "attempts", .title = "ATTEMPTS", .width = 8,
     .help = "with --by: how many"},
    {STORED(connect_entry, value.failed), .key = "errors", .title = "FAILED", .width = 6,
     .help = "with --by: of these"},
    {STORED(connect_entry, value.time_ns), COMPUTED([](const connect_entry &e, RowWriter &out) {
       e.value.timed != 0 ? out.number(e.value.time_ns / e.value.timed) : out.none();
     }),
     .key = "lat_avg_ns", .title = "AVERAGE", .unit = Unit::kNs, .width = 7,
     .help = "with --by: LATENCY of those that were established"},
    {STORED(connect_entry, value.timed)},
    {STORED(connect_entry, value.again), .key = "syn_retransmits", .title = "RTX", .width = 4,
     .help = "SYNs that were sent again"},
    {COMPUTED([](const connect_entry &e, RowWriter &out) {
       is_by<connect_entry, CONNECT_BY_DESTINATION>(e) ? write_address(out, e.key.remote_hi, e.key.remote_lo)
                                                       : out.none();
     }),
     .key = "remote_address", .title = "RADDR", .address = true, .width = -15, .help = "its address", .hidden = true},
    {STORED(connect_entry, key.local_hi)},
    {STORED(connect_entry, key.local_lo)},
    {STORED(connect_entry, key.remote_hi)},
    {STORED(connect_entry, key.remote_lo)},
    {STORED(connect_entry, key.by)},
};
constexpr RecordType kCounts = record_type<connect_entry>("connects", kCountFields);

constexpr View kViews[] = {
    {.name = "the lines", .shape = EventSpec{.record = &kConnect}},
    {.option = "by",
     .name = "the table of --by",
     .without = "print-uid|time",
     .shape = table_spec<connect_entry>(kCounts, "counts", "attempts")},
};

constexpr Hook kHooks[] = {{.name = "inet_sock_set_state"}, {.name = "sys_exit"}, {.name = "under_way"}};

// So few at a time that a ring of any size holds them.
void send_under_way(const Object &object, const std::function<void()> &drain) {
  constexpr size_t kAtATime = 16;
  size_t sent = 0;
  for (const uint64_t socket : known_socks(object)) {
    object.run("under_way", socket);
    if (++sent % kAtATime == 0) drain();
  }
}

int trace(const Values &values, Session &session, Object &object) {
  choose_socks(values, object);
  object.enable("sys_exit", values.given("unsent"));
  object.set_constant("count_by", bits_named(values, "by", kKeys));
  if (session.shows("by")) return run_table(session, object);
  return run_events(session, object, {.detached = [&](const auto &drain) { send_under_way(object, drain); }});
}

}  // namespace

extern const Tool tool_tcpconnect = {
    .name = "tcpconnect",
    .subsystem = Subsystem::kNetwork,
    .summary = "show each attempt to connect by TCP, or count them",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = tcpconnect_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks},
    .stacks = event_stacks(tcpconnect_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
