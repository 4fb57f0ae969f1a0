// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Columns that many records have: what an entry of a table of fields does not say of one is as usual.
//
//   time_column({STORED(open_event, ts_ns), .help = "when the call returned"})
#pragma once

#include "model/record.h"

namespace strata {

// `column` with what it does not say itself.
constexpr Field completed(Field column, const Field &usual) {
  column.key = usual.key;
  column.title = usual.title;
  column.unit = usual.unit;
  column.hidden = column.hidden || usual.hidden;
  if (column.width == 0) column.width = usual.width;
  if (column.whole == 0) column.whole = usual.whole;
  if (column.help.empty()) column.help = usual.help;
  if (column.decode.write == nullptr) column.decode = usual.decode;
  return column;
}

// The longest that there are: pid_max is 4194304 at most, and a name has 15 bytes.
inline constexpr int kNumberOfTask = 7, kNameOfTask = 15;

constexpr Field time_column(const Field &of_event) {
  return completed(of_event, {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15});
}
// Of the line of an interval, which csv and json begin with from_ns and to_ns anyway.
constexpr Field end_column(const Field &column) {
  return completed(column, {.key = "to_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15});
}
constexpr Field pid_column(const Field &column) {
  return completed(column, {.key = "tgid", .title = "PID", .width = 7, .whole = kNumberOfTask});
}
constexpr Field tid_column(const Field &column) {
  return completed(column, {.key = "tid", .title = "TID", .width = 7, .whole = kNumberOfTask});
}
constexpr Field comm_column(const Field &column) {
  return completed(column, {.key = "comm", .title = "COMM", .width = -15, .whole = kNameOfTask});
}
constexpr Field uid_column(const Field &column) {
  return completed(column, {.key = "uid", .title = "UID", .width = 5});
}
constexpr Field latency_column(const Field &column) {
  return completed(column, {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .width = 7});
}

// Whose a control group is.
inline constexpr Field kUnitColumn = {.key = "unit", .title = "UNIT", .width = -20, .help = "the unit of systemd"};
inline constexpr Field kContainerColumn = {.key = "container",
                                           .title = "CONTAINER",
                                           .width = -16,
                                           .help = "the container: its name, or the beginning of its id"};
inline constexpr Field kPodColumn = {
    .key = "pod", .title = "POD", .width = -20, .help = "the pod of Kubernetes: NAMESPACE/NAME, or its UID"};

// "255.255.255.255:65535". A longer one, of IPv6, widens its column (render/line.h).
inline constexpr int kEndpointWidth = -21;

// Of an entry whose key says by which of its members it was counted: the others say nothing.
template <typename Entry, uint64_t kBits>
bool is_by(const Entry &entry) {
  return (entry.key.by & kBits) != 0;
}

// What a recording has of an entry of counters besides its key and values.
#define INTERVAL_STORED(type) \
  {STORED(type, from_ns)}, { STORED(type, to_ns) }
// The same of a slot of a histogram (bpf/lib/core/hist_slots.h). Recordings from before 2026-12 have the count alone.
#define SLOT_STORED(type) \
  INTERVAL_STORED(type), {STORED(type, value.count)}, {STORED(type, value.sum)}, { STORED(type, value.max) }

}  // namespace strata
