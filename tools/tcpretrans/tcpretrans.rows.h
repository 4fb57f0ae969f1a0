// The tables of strata tcpretrans: columns, records, and what becomes of them.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/sock.h"
#include "tcpretrans/tcpretrans.h"

namespace strata {
namespace {

// Of --flows, and in the help.
constexpr Column kFlowCounts[] = {
    {.key = "retransmits", .title = "RTX", .width = 4, .help = "with --flows: segments sent again"},
    {.key = "timeouts", .title = "TMO", .width = 3, .help = "with --flows: of these, by timeout"},
    {.key = "slow_start", .title = "SLOW", .width = 4, .help = "likewise, in slow start, after a timeout"},
    {.key = "recovery", .title = "FAST", .width = 4, .help = "likewise, by SACK or fast"},
    {.key = "probes", .title = "TLP", .width = 3, .help = "likewise, as tail-loss probes"},
    {.key = "syns", .title = "SYN", .width = 3, .help = "likewise, SYNs and SYN-ACKs"},
    {.key = "others", .title = "OTHER", .width = 5, .help = "likewise, of another cause", .by_default = false},
};

constexpr Column kColumns[] = {
    {.key = "time_ns",
     .title = "TIME",
     .unit = Unit::kWallNs,
     .width = -15,
     .help = "when it was sent",
     .with = "time"},
    {.key = "tgid", .title = "PID", .width = 6, .help = "the process whose connection it is; empty: not known"},
    {.key = "comm", .title = "COMM", .width = -8, .help = "its name"},
    {.key = "local", .title = "LOCAL", .width = -17, .help = "address and port of this end"},
    {.key = "remote", .title = "REMOTE", .width = -17, .help = "of the other one"},
    {.key = "state", .title = "STATE", .width = -11, .help = "of the connection"},
    {.key = "cause", .title = "CAUSE", .width = -10, .help = "why: timeout, slow start, SACK, fast, TLP, SYN, SYN-ACK"},
    {.key = "segments", .title = "SEG", .width = 3, .help = "how many segments it was"},
    {.key = "seq", .title = "SEQ", .width = 10, .help = "sequence number of its first byte", .with = "sequence"},
    {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .width = 7, .help = "data in it", .by_default = false},
    {.key = "total", .title = "TOTAL", .width = 5, .help = "segments of the connection so far", .by_default = false},
    {.key = "rtt_ns",
     .title = "RTT",
     .unit = Unit::kNs,
     .width = 6,
     .help = "its smoothed round-trip time",
     .by_default = false},
    {.key = "cwnd", .title = "CWND", .width = 5, .help = "its congestion window, in segments", .by_default = false},
    {.key = "error", .title = "ERROR", .width = -8, .help = "why it did not leave", .by_default = false},
    kLocalAddressColumn,
    kLocalPortColumn,
    kRemoteAddressColumn,
    kRemotePortColumn,
    {.key = "tid", .title = "TID", .width = 6, .help = "the thread that worked on it last", .by_default = false},
    {.key = "uid", .title = "UID", .width = 5, .help = "the user whose socket it is", .by_default = false},
    if_asked(kFlowCounts[0]),
    if_asked(kFlowCounts[1]),
    if_asked(kFlowCounts[2]),
    if_asked(kFlowCounts[3]),
    if_asked(kFlowCounts[4]),
    if_asked(kFlowCounts[5]),
    if_asked(kFlowCounts[6]),
};
constexpr size_t kLineColumns = std::size(kColumns) - std::size(kFlowCounts);

// Of --flows; the ends and whose it is as above.
constexpr Column kFlowColumns[] = {
    kColumns[1],    kColumns[2],    kColumns[3],    kColumns[4],    kFlowCounts[0], kFlowCounts[1],
    kFlowCounts[2], kFlowCounts[3], kFlowCounts[4], kFlowCounts[5], kFlowCounts[6], kColumns[9],
    kColumns[14],   kColumns[15],   kColumns[16],   kColumns[17],
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(retransmit_event, ts_ns),      WIRE_ENDS(retransmit_event, ends),
    WIRE_NUMBER(retransmit_event, cause),      WIRE_NUMBER(retransmit_event, state),
    WIRE_NUMBER(retransmit_event, seq),        WIRE_NUMBER(retransmit_event, segments),
    WIRE_NUMBER(retransmit_event, size_bytes), WIRE_NUMBER(retransmit_event, srtt_us),
    WIRE_NUMBER(retransmit_event, cwnd),       WIRE_NUMBER(retransmit_event, total),
    WIRE_NUMBER(retransmit_event, error),      WIRE_NUMBER(retransmit_event, uid),
    WIRE_NUMBER(retransmit_event, tgid),       WIRE_NUMBER(retransmit_event, tid),
    WIRE_TEXT(retransmit_event, comm),
};
constexpr Wire kRetransmitWire = {"retransmit", sizeof(retransmit_event), kFields};

#define FLOW_SEGMENTS(name, cause) \
  { name, offsetof(flow_entry, value.segments[cause]), 8 }
constexpr WireField kFlowFields[] = {
    WIRE_NUMBER(flow_entry, from_ns),
    WIRE_NUMBER(flow_entry, to_ns),
    FLOW_SEGMENTS("others", CAUSE_OTHER),
    FLOW_SEGMENTS("timeouts", CAUSE_TIMEOUT),
    FLOW_SEGMENTS("slow_start", CAUSE_SLOW_START),
    FLOW_SEGMENTS("sack", CAUSE_SACK),
    FLOW_SEGMENTS("fast", CAUSE_FAST),
    FLOW_SEGMENTS("probes", CAUSE_PROBE),
    FLOW_SEGMENTS("syn", CAUSE_SYN),
    FLOW_SEGMENTS("syn_ack", CAUSE_SYN_ACK),
    {"bytes", offsetof(flow_entry, value.bytes), 8},
    WIRE_ENDS(flow_entry, key.ends),
    {"tgid", offsetof(flow_entry, key.tgid), 4},
    {"zero", offsetof(flow_entry, key.zero), 4},
    {"comm", offsetof(flow_entry, key.comm), 16, true},
};
constexpr Wire kFlowWire = {"flow", sizeof(flow_entry), kFlowFields};

std::string cause_text(uint32_t cause) {
  constexpr const char *kNames[] = {"other", "timeout", "slow start", "SACK",   "fast",
                                    "TLP",   "SYN",     "SYN-ACK",    "TLP new"};
  return cause < std::size(kNames) ? kNames[cause] : "cause " + std::to_string(cause);
}

Value error_text(int32_t error) {
  if (error == 0) return {};
  return error > 0 ? std::string("dropped") : errno_name(error);
}

void give(const retransmit_event &e, Cells &cells, Names &) {
  const bool known = e.tgid != 0;
  cells.number(e.ts_ns);
  cells.number_if(known, e.tgid);
  cells.comm_if(known, e.comm);
  give_ends(cells, e.ends);
  cells.words(e.state, write_tcp_state);
  cells.made([&] { return cause_text(e.cause); });
  cells.number(e.segments);
  cells.number(e.seq);
  if (!cells.any_wanted()) return;
  cells.number(e.size_bytes);
  cells.number(e.total);
  cells.number_if(e.srtt_us != 0, uint64_t{e.srtt_us} * 1000);
  cells.number(e.cwnd);
  cells.made([&] { return error_text(e.error); });
  give_end_parts(cells, e.ends);
  cells.number_if(known, e.tid);
  cells.number(e.uid);
}

Row flow_row(const flow_entry &e, Names &) {
  const sock_ends &ends = e.key.ends;
  const bool known = e.key.tgid != 0;
  const auto &n = e.value.segments;
  uint64_t all = 0;
  for (const uint64_t segments : n) all += segments;
  return {known ? Value(uint64_t{e.key.tgid}) : Value(),
          known ? Value(cstr(e.key.comm)) : Value(),
          endpoint(ends.local_hi, ends.local_lo, ends.local_port),
          endpoint(ends.remote_hi, ends.remote_lo, ends.remote_port),
          all,
          uint64_t{n[CAUSE_TIMEOUT]},
          uint64_t{n[CAUSE_SLOW_START]},
          n[CAUSE_SACK] + n[CAUSE_FAST],
          uint64_t{n[CAUSE_PROBE]},
          n[CAUSE_SYN] + n[CAUSE_SYN_ACK],
          uint64_t{n[CAUSE_OTHER]},
          uint64_t{e.value.bytes},
          address(ends.local_hi, ends.local_lo),
          uint64_t{ends.local_port},
          address(ends.remote_hi, ends.remote_lo),
          uint64_t{ends.remote_port}};
}

const Events kEvents = events_of<retransmit_event, give>(kRetransmitWire);
constexpr Tops kFlows = tops_of<flow_entry, flow_row>(kFlowWire, "retransmits");

// A table instead of lines.
void show_flows(Session &session, const Tool &tool) {
  refuse(session.values(), {"time", "sequence", "buffer"}, "is for lines, not for the table of --flows");
  Tool shown = tool;
  shown.takes &= ~kTakesBuffer;
  shown.columns = kFlowColumns;
  session.show(shown);
}

}  // namespace
}  // namespace strata
