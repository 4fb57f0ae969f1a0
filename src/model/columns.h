// Columns that many records have: what an entry of a table of fields does not say of one is as usual.
//
//   time_column({STORED(open_event, ts_ns), .help = "when the call returned"})
#pragma once

#include "model/record.h"

namespace strata {

constexpr Field time_column(Field column) {  // of an event
  column.key = "time_ns";
  column.title = "TIME";
  column.unit = Unit::kWallNs;
  column.width = -15;
  return column;
}

constexpr Field pid_column(Field column) {
  column.key = "tgid";
  column.title = "PID";
  if (column.width == 0) column.width = 7;
  return column;
}

constexpr Field tid_column(Field column) {
  column.key = "tid";
  column.title = "TID";
  if (column.width == 0) column.width = 7;
  return column;
}

constexpr Field comm_column(Field column) {
  column.key = "comm";
  column.title = "COMM";
  if (column.width == 0) column.width = -15;
  return column;
}

constexpr Field uid_column(Field column) {
  column.key = "uid";
  column.title = "UID";
  if (column.width == 0) column.width = 5;
  return column;
}

constexpr Field latency_column(Field column) {
  column.key = "lat_ns";
  column.title = "LATENCY";
  column.unit = Unit::kNs;
  if (column.width == 0) column.width = 7;
  return column;
}

// Of an entry whose key says by which of its members it was counted: the others say nothing.
template <typename Entry, uint64_t kBits>
bool is_by(const Entry &entry) {
  return (entry.key.by & kBits) != 0;
}

// What a recording has of an entry of counters besides its key and values.
#define INTERVAL_STORED(type) \
  {STORED(type, from_ns)}, { STORED(type, to_ns) }

}  // namespace strata
