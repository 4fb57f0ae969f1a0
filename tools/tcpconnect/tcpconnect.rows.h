// The rows of strata tcpconnect, and the records that they are made from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/text.h"
#include "kern/errno.h"
#include "run/events.h"
#include "subsys/sock.h"
#include "tcpconnect/tcpconnect.h"

namespace strata {
namespace {

constexpr Column kConnectTgid = {
    .key = "tgid", .title = "PID", .width = 6, .help = "the process that connects; empty: not known"};
constexpr Column kConnectComm = {.key = "comm", .title = "COMM", .width = -12, .help = "its name"};
constexpr Column kConnectUid = {
    .key = "uid", .title = "UID", .width = 5, .help = "the user whose socket it is", .with = "print-uid"};
// Of --by, and in the help.
constexpr Column kConnectAttempts = {.key = "attempts", .title = "ATTEMPTS", .width = 8, .help = "with --by: how many"};
constexpr Column kConnectFailed = {.key = "failed", .title = "FAILED", .width = 6, .help = "with --by: of these"};
constexpr Column kConnectAverage = {.key = "lat_avg_ns",
                                    .title = "AVERAGE",
                                    .unit = Unit::kNs,
                                    .width = 7,
                                    .help = "with --by: LATENCY of those that were established"};

constexpr Column kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "of the answer", .with = "time"},
    kConnectTgid,
    kConnectComm,
    {.key = "local", .title = "LOCAL", .width = -18, .help = "address and port of this end"},
    {.key = "remote", .title = "REMOTE", .width = -18, .help = "of the other one"},
    {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .width = 7, .help = "from the first SYN to the answer"},
    {.key = "result", .title = "RESULT", .width = -12, .help = "ok, the error, \"no port\", or \"gave up\""},
    {.key = "established", .title = "OK", .width = -3, .help = "is it established?", .by_default = false},
    {.key = "syn_retransmits", .title = "RTX", .width = 3, .help = "SYNs that were sent again", .by_default = false},
    kLocalAddressColumn,
    kLocalPortColumn,
    kRemoteAddressColumn,
    kRemotePortColumn,
    {.key = "tid", .title = "TID", .width = 6, .help = "the thread that connects", .by_default = false},
    kConnectUid,
    if_asked(kConnectAttempts),
    if_asked(kConnectFailed),
    if_asked(kConnectAverage),
};
constexpr size_t kConnectLineColumns = std::size(kColumns) - 3;  // without those of --by

constexpr WireField kFields[] = {
    WIRE_NUMBER(connect_event, ts_ns),       WIRE_NUMBER(connect_event, since_ns), WIRE_ENDS(connect_event, ends),
    WIRE_NUMBER(connect_event, established), WIRE_NUMBER(connect_event, error),    WIRE_NUMBER(connect_event, uid),
    WIRE_NUMBER(connect_event, tgid),        WIRE_NUMBER(connect_event, tid),      WIRE_NUMBER(connect_event, again),
    WIRE_TEXT(connect_event, comm),
};
constexpr Wire kConnectWire = {"connect", sizeof(connect_event), kFields};

// Without an error the task has closed the socket before an answer came, or there was no port for this end.
std::string result_text(const connect_event &e) {
  if (e.established != 0) return "ok";
  if (e.error != 0) return errno_name(e.error);
  return e.ends.local_port == 0 ? "no port" : "gave up";
}

void give(const connect_event &e, Cells &cells, Names &) {
  const bool known = e.tgid != 0;
  cells.number(e.ts_ns);
  cells.number_if(known, e.tgid);
  cells.comm_if(known, e.comm);
  give_ends(cells, e.ends);
  cells.number_if(e.since_ns != 0, e.ts_ns - std::min(e.ts_ns, e.since_ns));
  cells.made([&] { return result_text(e); });
  if (!cells.any_wanted()) return;
  cells.value(e.established != 0);
  cells.number(e.again);
  give_end_parts(cells, e.ends);
  cells.number_if(known, e.tid);
  cells.number(e.uid);
}

const Events kEvents = events_of<connect_event, give>(kConnectWire);

}  // namespace
}  // namespace strata
