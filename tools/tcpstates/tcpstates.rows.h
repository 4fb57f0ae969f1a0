// The rows of strata tcpstates, and the records that they are made from.
#pragma once

#include <algorithm>

#include "base/text.h"
#include "kern/errno.h"
#include "run/events.h"
#include "subsys/sock.h"
#include "tcpstates/tcpstates.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "of the change", .with = "time"},
    {.key = "tgid", .title = "PID", .width = 6, .help = "the process whose socket it is; empty: not known"},
    {.key = "comm", .title = "COMM", .width = -10, .help = "its name"},
    {.key = "local", .title = "LOCAL", .width = -15, .help = "address and port of this end"},
    {.key = "remote", .title = "REMOTE", .width = -15, .help = "of the other one"},
    {.key = "old_state", .title = "FROM", .width = -11, .help = "the state that ends"},
    {.key = "new_state", .title = "TO", .width = -11, .help = "the state that begins"},
    {.key = "state_ns", .title = "AFTER", .unit = Unit::kNs, .width = 6, .help = "the time in the state that ends"},
    {.key = "error",
     .title = "ERROR",
     .width = -12,
     .help = "at the change to CLOSE: why, as the application gets it",
     .by_default = false},
    kLocalAddressColumn,
    kLocalPortColumn,
    kRemoteAddressColumn,
    kRemotePortColumn,
    {.key = "tid", .title = "TID", .width = 6, .help = "the thread that worked on it last", .by_default = false},
    {.key = "uid", .title = "UID", .width = 5, .help = "the user whose socket it is", .by_default = false},
    {.key = "socket",
     .title = "SOCKET",
     .unit = Unit::kHex,
     .width = 18,
     .help = "the kernel's address of it: the same in all lines of a connection's end",
     .by_default = false},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(state_event, ts_ns), WIRE_NUMBER(state_event, since_ns), WIRE_NUMBER(state_event, sock),
    WIRE_ENDS(state_event, ends),    WIRE_NUMBER(state_event, from),     WIRE_NUMBER(state_event, to),
    WIRE_NUMBER(state_event, error), WIRE_NUMBER(state_event, child),    WIRE_NUMBER(state_event, uid),
    WIRE_NUMBER(state_event, tgid),  WIRE_NUMBER(state_event, tid),      WIRE_NUMBER(state_event, pad),
    WIRE_TEXT(state_event, comm),
};
constexpr Wire kStateWire = {"state", sizeof(state_event), kFields};

void give(const state_event &e, Cells &cells, Names &) {
  const bool known = e.tgid != 0;
  cells.number(e.ts_ns);
  cells.number_if(known, e.tgid);
  cells.comm_if(known, e.comm);
  give_ends(cells, e.ends);
  cells.words(e.from, write_tcp_state);
  cells.words(e.to, write_tcp_state);
  cells.number_if(e.since_ns != 0, e.ts_ns - std::min(e.ts_ns, e.since_ns));
  if (!cells.any_wanted()) return;
  cells.made_if(e.error != 0, [&] { return errno_name(e.error); });
  give_end_parts(cells, e.ends);
  cells.number_if(known, e.tid);
  cells.number(e.uid);
  cells.number(e.sock);
}

// A child's way out of LISTEN had no remote address when it was taken, and is told with the change after it.
Expand expand() {
  return [](const void *record, Names &, const PutRecord &put) {
    if (record == nullptr) return;
    const auto &e = *static_cast<const state_event *>(record);
    if (e.child != 0) {
      state_event made = e;
      made.ts_ns = e.since_ns;
      made.since_ns = 0;
      made.to = e.from;
      made.from = BPF_TCP_LISTEN;
      made.error = 0;
      put(&made);
    }
    put(&e);
  };
}

const Events kEvents = events_of<state_event, give>(kStateWire, {}, expand);

}  // namespace
}  // namespace strata
