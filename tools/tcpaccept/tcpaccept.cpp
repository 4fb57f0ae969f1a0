// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata tcpaccept: each TCP connection that is accepted, and how long it waited for that.
#include "tcpaccept/tcpaccept.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/socket_owners.h"
#include "kern/tcp_sockets.h"
#include "model/columns.h"
#include "run/events.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/process_filter.h"
#include "subsys/sock.h"
#include "subsys/stacks.h"
#include "tcpaccept.manual.h"
#include "tcpaccept.skel.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    min_option({.name = "min-queue", .help = "only those that waited so long (10ms, 1s)"}),
    {.name = "drops", .short_name = 'x', .help = "also a line when a listening socket drops"},
    {.name = "queue-time", .short_name = 'Q', .help = "instead, histograms of QUEUED by listening socket"},
    {.name = "backlog", .short_name = 'B', .help = "instead, histograms of how many waited"},
    kShowTimeOption,
};
constexpr auto kOptions = joined(kSockOptions, kOwnOptions);

// Was the listening socket found?
bool has_queue(const accept_event &e) { return e.listened != 0; }
// Else it is a listening socket that dropped.
bool is_accepted(const accept_event &e) { return e.ends.remote_port != 0; }

// What histograms show; in the JSON of lines they are null.
constexpr Field kListener = {COMPUTED(slot_values), .key = "listener", .title = "LISTENER",
                             .help = "with -Q, -B: the listening socket", .hidden = true};
constexpr Field kBacklog = {COMPUTED(slot_values), .key = "backlog", .title = "BACKLOG",
                            .help = "with -B: how many waited, this one among them", .hidden = true};

constexpr Field kFields[] = {
    time_column({STORED(accept_event, ts_ns), .help = "of the accept", .with = "time"}),
    pid_column({STORED(accept_event, tgid), .optional = true, .width = 6, .help = "the process that accepted it"}),
    comm_column({STORED(accept_event, comm), COMPUTED(owner_comm<accept_event>), .help = "its name"}),
    local_port_column({STORED(accept_event, ends.local_port)}),
    {COMPUTED([](const accept_event &e, RowWriter &out) {
       if (!is_accepted(e)) return out.none();
       write_endpoint(out, e.ends.remote_hi, e.ends.remote_lo, e.ends.remote_port);
     }),
     .key = "remote", .title = "REMOTE", .address = true, .width = kEndpointWidth,
     .help = "of the other one; empty: a line of -x"},
    {STORED(accept_event, since_ns), COMPUTED([](const accept_event &e) { return elapsed_ns(e.since_ns, e.ts_ns); }),
     .key = "queue_ns", .title = "QUEUED", .unit = Unit::kNs, .width = 6, .help = "from established to accepted"},
    {STORED(accept_event, waiting), SHOWN_IF(has_queue), .key = "waiting", .title = "WAIT", .width = 4,
     .help = "connections that still waited in the accept queue"},
    {STORED(accept_event, limit), SHOWN_IF(has_queue), .key = "limit", .title = "LIMIT", .width = 5,
     .help = "of them: beyond it the kernel drops; see listen(2)"},
    {STORED(accept_event, drops), SHOWN_IF(has_queue), .key = "drops", .title = "DROPS", .width = 5,
     .help = "what the listening socket has dropped since it listens"},
    {STORED(accept_event, half_open), SHOWN_IF(has_queue), .key = "half_open", .title = "SYNS", .width = 4,
     .help = "connections half open", .hidden = true},
    local_end<accept_event>(),
    local_address<accept_event>(),
    {COMPUTED([](const accept_event &e, RowWriter &out) {
       is_accepted(e) ? write_address(out, e.ends.remote_hi, e.ends.remote_lo) : out.none();
     }),
     .key = "remote_address", .title = "RADDR", .address = true, .width = -15, .help = "the address alone",
     .hidden = true},
    {STORED(accept_event, ends.remote_port), .optional = true, .key = "remote_port", .title = "RPORT", .width = 5,
     .help = "the port alone", .hidden = true},
    tid_column({STORED(accept_event, tid), .optional = true, .width = 6, .help = "the thread that accepted it",
                .hidden = true}),
    uid_column({STORED(accept_event, uid), .help = "its user", .hidden = true}),
    kListener,
    kBacklog,
    ENDS_STORED(accept_event, ends),
    {STORED(accept_event, listened)},
};
constexpr RecordType kAccept = record_type<accept_event>("accept", kFields);

constexpr auto slot_fields(const Field &values) {
  return std::to_array<Field>({
      values,
      {STORED(accept_entry, key.local_port),
       COMPUTED([](const accept_entry &e) { return endpoint(e.key.local_hi, e.key.local_lo, e.key.local_port); }),
       .key = kListener.key, .title = kListener.title, .help = kListener.help},
      SLOT_STORED(accept_entry),
      {STORED(accept_entry, key.of)},
      {STORED(accept_entry, key.local_hi)},
      {STORED(accept_entry, key.local_lo)},
      {STORED(accept_entry, key.slot)},
  });
}
constexpr auto kQueueFields = slot_fields({COMPUTED(slot_values), .key = "queue_ns", .title = "QUEUED",
                                           .unit = Unit::kNs, .help = "from established to accepted"});
constexpr auto kBacklogFields = slot_fields(kBacklog);
constexpr RecordType kQueueTimes = record_type<accept_entry>("queued", kQueueFields);
constexpr RecordType kBacklogs = record_type<accept_entry>("waiting", kBacklogFields);

constexpr std::string_view kLosses[] = {"accepts of a listening socket that was closed meanwhile"};
constexpr View kViews[] = {
    {.name = "the lines", .shape = EventSpec{.record = &kAccept, .losses = kLosses}},
    // --time is true of histograms, too: each interval says when it ended.
    {.option = "queue-time",
     .name = "--queue-time",
     .without = "drops",
     .shape = histogram_spec<accept_entry>(kQueueTimes, "", "accepted", kLosses)},
    {.option = "backlog",
     .name = "--backlog",
     .without = "drops",
     .shape = histogram_spec<accept_entry>(kBacklogs, "", "accepted", kLosses)},
};

// Listening sockets that drop, also while nobody accepts from them: their own counters are read now and then.
class Drops {
 public:
  Drops(Session &session, Object &object)
      : session_(session), filtered_(session.filters_tasks()), owners_(process_filter(session, object)) {
    session.keep(kToSeeProcesses | kToEnterNetns);
    for (const TcpSocket &one : tcp_sockets(TcpSockets::kListening)) known_[one.cookie] = one.drops;
    session.loop().every(kPeriodNs, [this] { read(); });
  }

 private:
  static constexpr uint64_t kPeriodNs = 500'000'000;

  void read() {
    bool scanned = false;
    for (const TcpSocket &one : tcp_sockets(TcpSockets::kListening)) {
      uint32_t &known = known_.try_emplace(one.cookie, 0).first->second;
      if (one.drops == std::exchange(known, one.drops) || !socket_passes(session_.values(), one)) continue;
      if (!std::exchange(scanned, true)) owners_.scan();
      const SocketOwner *owner = owners_.find(one.inode);
      if (owner != nullptr || !filtered_) put(one, owner != nullptr ? *owner : SocketOwner());
    }
  }

  void put(const TcpSocket &one, const SocketOwner &owner) {
    accept_event e = {.ts_ns = monotonic_ns(), .listened = 1, .waiting = one.waiting, .limit = one.limit};
    e.ends.local_hi = one.local.hi;
    e.ends.local_lo = one.local.lo;
    e.ends.local_port = one.local_port;
    e.drops = one.drops;
    e.uid = one.uid;
    e.tgid = owner.tgid;
    memcpy(e.comm, owner.comm.data(), std::min(owner.comm.size(), sizeof(e.comm) - 1));
    add_event(session_, &e);
  }

  Session &session_;
  const bool filtered_;
  SocketOwners owners_;
  std::unordered_map<uint64_t, uint32_t> known_;  // what was dropped, by cookie
};

// By the function or by system calls: prepare() decides.
constexpr Hook kHooks[] = {{.name = "accept_end"}, {.name = "sys_exit"}};

// The function catches no other system call.
void prepare(Object &object) {
  const bool function = object.variant("accept_end") != nullptr;
  object.enable("accept_end", function);
  object.enable("sys_exit", !function);
}

constexpr Link kLinks[] = {{"tcpsynbl", "--backlog"}};

int trace(const Values &values, Session &session, Object &object) {
  prepare(object);
  choose_ends(values, object);
  if (session.shows("queue-time") || session.shows("backlog")) {
    constexpr uint32_t kSlots = 16384;  // of histograms without a group (bpf/lib/core/hist_groups.h)
    object.set_constant("shown_as", uint32_t{session.shows("backlog") ? ACCEPT_BACKLOG : ACCEPT_QUEUE_TIME});
    object.set_max_entries("accepted", kSlots);
  }
  std::optional<Drops> drops;
  if (values.given("drops")) drops.emplace(session, object);
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_tcpaccept = {
    .name = "tcpaccept",
    .subsystem = Subsystem::kNetwork,
    .summary = "show each TCP connection that is accepted, and its wait",
    .manual = kManual,
    .options = kOptions,
    .links = kLinks,
    .views = kViews,
    .programs = {.elf = tcpaccept_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare},
    .stacks = event_stacks(tcpaccept_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
