// The table of strata tcpconnect --by: what attempts are counted by decides which columns are shown.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/values.h"
#include "rec/recording.h"
#include "run/intervals.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "tcpconnect.rows.h"

namespace strata {
namespace {

struct CountColumn {
  uint32_t by;  // shown with any of these
  Column column;
};

constexpr uint32_t kAlways = ~0U, kIfAsked = 0;

constexpr CountColumn kCountColumns[] = {
    {CONNECT_BY_PROCESS, kConnectTgid},
    {CONNECT_BY_PROCESS, kConnectComm},
    {CONNECT_BY_UID, kConnectUid},
    {CONNECT_BY_SOURCE, {.key = "local_address", .title = "LADDR", .width = -15, .help = "address of this end"}},
    {CONNECT_BY_DESTINATION, {.key = "remote", .title = "REMOTE", .width = -18, .help = "the other end"}},
    {CONNECT_BY_PORT, {.key = "remote_port", .title = "RPORT", .width = 5, .help = "its port"}},
    {kAlways, kConnectAttempts},
    {kAlways, kConnectFailed},
    {kAlways, kConnectAverage},
    {kAlways, {.key = "syn_retransmits", .title = "RTX", .width = 4, .help = "SYNs that were sent again"}},
    {kIfAsked, {.key = "remote_address", .title = "RADDR", .width = -15, .help = "its address"}},
};

constexpr WireField kCountFields[] = {
    WIRE_NUMBER(connect_entry, from_ns),
    WIRE_NUMBER(connect_entry, to_ns),
    {"attempts", offsetof(connect_entry, value.attempts), 8},
    {"failed", offsetof(connect_entry, value.failed), 8},
    {"timed", offsetof(connect_entry, value.timed), 8},
    {"time_ns", offsetof(connect_entry, value.time_ns), 8},
    {"again", offsetof(connect_entry, value.again), 8},
    {"local_hi", offsetof(connect_entry, key.local_hi), 8},
    {"local_lo", offsetof(connect_entry, key.local_lo), 8},
    {"remote_hi", offsetof(connect_entry, key.remote_hi), 8},
    {"remote_lo", offsetof(connect_entry, key.remote_lo), 8},
    {"remote_port", offsetof(connect_entry, key.remote_port), 4},
    {"tgid", offsetof(connect_entry, key.tgid), 4},
    {"uid", offsetof(connect_entry, key.uid), 4},
    {"by", offsetof(connect_entry, key.by), 4},
    {"comm", offsetof(connect_entry, key.comm), 16, true},
};
constexpr Wire kCountWire = {"connects", sizeof(connect_entry), kCountFields};

Row count_row(const connect_entry &e, Names &) {
  const auto &[attempts, failed, timed, time_ns, again] = e.value;
  const connect_key &key = e.key;
  const bool process = (key.by & CONNECT_BY_PROCESS) != 0 && key.tgid != 0;
  const bool destination = (key.by & CONNECT_BY_DESTINATION) != 0;
  const bool port = destination || (key.by & CONNECT_BY_PORT) != 0;
  return {process ? Value(uint64_t{key.tgid}) : Value(),
          process ? Value(cstr(key.comm)) : Value(),
          key.by & CONNECT_BY_UID ? Value(uint64_t{key.uid}) : Value(),
          key.by & CONNECT_BY_SOURCE ? address(key.local_hi, key.local_lo) : Value(),
          destination ? endpoint(key.remote_hi, key.remote_lo, key.remote_port) : Value(),
          port ? Value(uint64_t{key.remote_port}) : Value(),
          uint64_t{attempts},
          uint64_t{failed},
          timed != 0 ? Value(time_ns / timed) : Value(),
          uint64_t{again},
          destination ? address(key.remote_hi, key.remote_lo) : Value()};
}

constexpr Tops kCounts = tops_of<connect_entry, count_row>(kCountWire, "attempts");

// 0: lines.
uint32_t asked_by(const Values &values) {
  constexpr std::string_view kKeys[] = {"destination", "port", "source", "process", "uid"};  // as in enum connect_by
  return bits_named(values, "by", kKeys);
}

uint32_t recorded_by(const Recording &recording) {
  constexpr const Wire *kWires[] = {&kConnectWire, &kCountWire};
  const WireRecord first = first_record(recording, kWires);
  if (first.wire == &kCountWire) return reinterpret_cast<const connect_entry *>(first.bytes.data())->key.by;
  return first.wire == &kIntervalWire ? CONNECT_BY_DESTINATION : 0;
}

void show_counts(Session &session, const Tool &tool, uint32_t by) {
  refuse(session.values(), {"time", "print-uid", "buffer"}, "is for lines, not for the table of --by");
  std::vector<Column> columns;
  for (const auto &[shown_by, column] : kCountColumns) {
    columns.push_back(column);
    columns.back().by_default = (shown_by & by) != 0 || shown_by == kAlways;
    columns.back().with = {};
  }
  Tool shown = tool;
  shown.takes &= ~kTakesBuffer;
  session.show(shown, std::move(columns));
}

}  // namespace
}  // namespace strata
