// The tables of strata tcpaccept: options, columns, records, and what becomes of them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "rec/recording.h"
#include "run/events.h"
#include "run/histogram.h"
#include "run/intervals.h"
#include "run/names.h"
#include "run/replay.h"
#include "subsys/sock.h"
#include "tcpaccept/tcpaccept.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kIpv4Option,
    kIpv6Option,
    kLocalPortOption,
    kRemotePortOption,
    kRemoteOption,
    kSockUidOption,
    {.name = "min-queue",
     .letter = 'm',
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "only those that waited so long (10ms, 1s)"},
    {.name = "drops", .letter = 'x', .help = "also a line when a listening socket drops"},
    {.name = "queue-time", .letter = 'Q', .help = "instead, histograms of QUEUED by listening socket"},
    {.name = "backlog", .letter = 'B', .help = "instead, histograms of how many waited"},
    {.name = "time", .letter = 'T', .help = "also show TIME"},
};

constexpr Column kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "of the accept", .with = "time"},
    {.key = "tgid", .title = "PID", .width = 6, .help = "the process that accepted it"},
    {.key = "comm", .title = "COMM", .width = -9, .help = "its name"},
    {.key = "local", .title = "LOCAL", .width = -17, .help = "address and port of this end"},
    {.key = "remote", .title = "REMOTE", .width = -18, .help = "of the other one; empty: a line of -x"},
    {.key = "queue_ns", .title = "QUEUED", .unit = Unit::kNs, .width = 6, .help = "from established to accepted"},
    {.key = "waiting", .title = "WAIT", .width = 4, .help = "connections that still waited in the accept queue"},
    {.key = "limit", .title = "LIMIT", .width = 5, .help = "of them: beyond it the kernel drops; see listen(2)"},
    {.key = "drops", .title = "DROPS", .width = 5, .help = "what the listening socket has dropped since it listens"},
    {.key = "half_open", .title = "SYNS", .width = 4, .help = "connections half open", .by_default = false},
    kLocalAddressColumn,
    kLocalPortColumn,
    kRemoteAddressColumn,
    kRemotePortColumn,
    {.key = "tid", .title = "TID", .width = 6, .help = "the thread that accepted it", .by_default = false},
    {.key = "uid", .title = "UID", .width = 5, .help = "its user", .by_default = false},
    {.key = "listener", .title = "LISTENER", .help = "with -Q, -B: the listening socket", .by_default = false},
    {.key = "backlog",
     .title = "BACKLOG",
     .help = "with -B: how many waited, this one among them",
     .by_default = false},
};
enum { kQueueColumn = 5, kListenerColumn = 16, kBacklogColumn };

constexpr WireField kFields[] = {
    WIRE_NUMBER(accept_event, ts_ns),    WIRE_NUMBER(accept_event, since_ns),  WIRE_ENDS(accept_event, ends),
    WIRE_NUMBER(accept_event, listened), WIRE_NUMBER(accept_event, waiting),   WIRE_NUMBER(accept_event, limit),
    WIRE_NUMBER(accept_event, drops),    WIRE_NUMBER(accept_event, half_open), WIRE_NUMBER(accept_event, uid),
    WIRE_NUMBER(accept_event, tgid),     WIRE_NUMBER(accept_event, tid),       WIRE_TEXT(accept_event, comm),
};
constexpr Wire kAcceptWire = {"accept", sizeof(accept_event), kFields};

constexpr WireField kSlotFields[] = {
    WIRE_NUMBER(accept_entry, from_ns),
    WIRE_NUMBER(accept_entry, to_ns),
    {"count", offsetof(accept_entry, value.count), 8},
    {"of", offsetof(accept_entry, key.of), 8},
    {"local_hi", offsetof(accept_entry, key.local_hi), 8},
    {"local_lo", offsetof(accept_entry, key.local_lo), 8},
    {"local_port", offsetof(accept_entry, key.local_port), 4},
    {"slot", offsetof(accept_entry, key.slot), 4},
};
constexpr Wire kQueueWire = {"queued", sizeof(accept_entry), kSlotFields};
constexpr Wire kBacklogWire = {"waiting", sizeof(accept_entry), kSlotFields};

constexpr std::string_view kLosses[] = {"accepts of a listening socket that was closed meanwhile"};

// Without another end it is a listening socket that dropped.
void give(const accept_event &e, Cells &cells, Names &) {
  const sock_ends &ends = e.ends;
  const bool accepted = ends.remote_port != 0, known = e.tgid != 0, listened = e.listened != 0;
  cells.number(e.ts_ns);
  cells.number_if(known, e.tgid);
  cells.comm_if(known, e.comm);
  give_endpoint(cells, ends.local_hi, ends.local_lo, ends.local_port);
  accepted ? give_endpoint(cells, ends.remote_hi, ends.remote_lo, ends.remote_port) : cells.none();
  cells.number_if(accepted, e.ts_ns - std::min(e.ts_ns, e.since_ns));
  cells.number_if(listened, e.waiting);
  cells.number_if(listened, e.limit);
  cells.number_if(listened, e.drops);
  if (!cells.any_wanted()) return;
  cells.number_if(listened, e.half_open);
  give_address(cells, ends.local_hi, ends.local_lo);
  cells.number(ends.local_port);
  accepted ? give_address(cells, ends.remote_hi, ends.remote_lo) : cells.none();
  cells.number_if(accepted, ends.remote_port);
  cells.number_if(accepted, e.tid);
  cells.number(e.uid);
  cells.none();  // listener, backlog: of histograms
  cells.none();
}

std::vector<Field> keys_of(const void *entry, Names &) {
  const accept_key &key = static_cast<const accept_entry *>(entry)->key;
  return {{&kColumns[kListenerColumn], endpoint(key.local_hi, key.local_lo, key.local_port)}};
}

constexpr Events kEvents = events_of<accept_event, give>(kAcceptWire, kLosses);
constexpr Histograms kQueueTimes = histograms_of<accept_entry>(kQueueWire, kColumns[kQueueColumn], keys_of, kLosses);
constexpr Histograms kBacklogs = histograms_of<accept_entry>(kBacklogWire, kColumns[kBacklogColumn], keys_of, kLosses);

// What a recording has. Intervals alone are of histograms; of which does not matter.
accept_of shape_of(const Recording &recording) {
  constexpr const Wire *kWires[] = {&kAcceptWire, &kQueueWire, &kBacklogWire};
  const Wire *first = first_record(recording, kWires).wire;
  if (first == &kBacklogWire) return ACCEPT_BACKLOG;
  return first == &kQueueWire || first == &kIntervalWire ? ACCEPT_QUEUE_TIME : ACCEPT_LIST;
}

}  // namespace
}  // namespace strata
