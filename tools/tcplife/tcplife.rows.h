// The rows of strata tcplife, and the records that they are made from.
#pragma once

#include <algorithm>

#include "base/text.h"
#include "kern/errno.h"
#include "run/events.h"
#include "subsys/sock.h"
#include "tcplife/tcplife.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "of the end", .with = "time"},
    {.key = "tgid", .title = "PID", .width = 6, .help = "the process whose session it was; empty: not known"},
    {.key = "comm", .title = "COMM", .width = -8, .help = "its name"},
    {.key = "local", .title = "LOCAL", .width = -15, .help = "address and port of this end"},
    {.key = "remote", .title = "REMOTE", .width = -14, .help = "of the other one"},
    {.key = "tx_bytes", .title = "SENT", .unit = Unit::kBytes, .width = 7, .help = "data sent, each byte once"},
    {.key = "rx_bytes", .title = "GOT", .unit = Unit::kBytes, .width = 7, .help = "data received"},
    {.key = "retransmits", .title = "RTX", .width = 3, .help = "segments that were sent again"},
    {.key = "rtt_ns", .title = "RTT", .unit = Unit::kNs, .width = 6, .help = "smoothed round-trip time, at the end"},
    {.key = "life_ns", .title = "LIFE", .unit = Unit::kNs, .width = 6, .help = "how long it was established"},
    {.key = "min_rtt_ns",
     .title = "MINRTT",
     .unit = Unit::kNs,
     .width = 6,
     .help = "the least of the last minutes",
     .by_default = false},
    {.key = "retransmitted_bytes",
     .title = "RTXBYTE",
     .unit = Unit::kBytes,
     .width = 7,
     .help = "data that was sent again",
     .by_default = false},
    {.key = "begun", .title = "BEGUN", .width = -5, .help = "by which end: here or there", .by_default = false},
    {.key = "last_state",
     .title = "LAST",
     .width = -11,
     .help = "before CLOSE; LAST_ACK: the other end closed first; ESTABLISHED: a reset",
     .by_default = false},
    {.key = "error", .title = "ERROR", .width = -12, .help = "what the application gets", .by_default = false},
    kLocalAddressColumn,
    kLocalPortColumn,
    kRemoteAddressColumn,
    kRemotePortColumn,
    {.key = "tid", .title = "TID", .width = 6, .help = "the thread that worked on it last", .by_default = false},
    {.key = "uid", .title = "UID", .width = 5, .help = "the user whose socket it was", .by_default = false},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(session_event, ts_ns),      WIRE_NUMBER(session_event, since_ns),
    WIRE_ENDS(session_event, ends),         WIRE_NUMBER(session_event, tx_bytes),
    WIRE_NUMBER(session_event, rx_bytes),   WIRE_NUMBER(session_event, again_bytes),
    WIRE_NUMBER(session_event, again),      WIRE_NUMBER(session_event, srtt_us),
    WIRE_NUMBER(session_event, min_rtt_us), WIRE_NUMBER(session_event, last_state),
    WIRE_NUMBER(session_event, error),      WIRE_NUMBER(session_event, begun),
    WIRE_NUMBER(session_event, uid),        WIRE_NUMBER(session_event, tgid),
    WIRE_NUMBER(session_event, tid),        WIRE_NUMBER(session_event, pad),
    WIRE_TEXT(session_event, comm),
};
constexpr Wire kSessionWire = {"session", sizeof(session_event), kFields};

Value begun_text(uint32_t begun) {
  if (begun != BEGUN_HERE && begun != BEGUN_THERE) return {};
  return std::string(begun == BEGUN_HERE ? "here" : "there");
}

void give_measured(Cells &cells, uint32_t us) {
  constexpr uint64_t kNsPerUs = 1000;
  cells.number_if(us != 0 && us != UINT32_MAX, us * kNsPerUs);
}

void give(const session_event &e, Cells &cells, Names &) {
  const bool known = e.tgid != 0;
  cells.number(e.ts_ns);
  cells.number_if(known, e.tgid);
  cells.comm_if(known, e.comm);
  give_ends(cells, e.ends);
  cells.number(e.tx_bytes);
  cells.number(e.rx_bytes);
  cells.number(e.again);
  give_measured(cells, e.srtt_us);
  cells.number_if(e.since_ns != 0, e.ts_ns - std::min(e.ts_ns, e.since_ns));
  if (!cells.any_wanted()) return;
  give_measured(cells, e.min_rtt_us);
  cells.number(e.again_bytes);
  cells.value(begun_text(e.begun));
  cells.words(e.last_state, write_tcp_state);
  cells.made_if(e.error != 0, [&] { return errno_name(e.error); });
  give_end_parts(cells, e.ends);
  cells.number_if(known, e.tid);
  cells.number(e.uid);
}

const Events kEvents = events_of<session_event, give>(kSessionWire);

}  // namespace
}  // namespace strata
