// The tables of strata tcprtt: columns, records, and what becomes of them.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/values.h"
#include "render/sink.h"
#include "run/histogram.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/sock.h"
#include "tcprtt/tcprtt.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "local_address", .title = "LADDR", .width = -18, .help = "this end, with -b", .by_default = false},
    {.key = "local_port", .title = "LPORT", .width = 5, .help = "with --by-local-port", .by_default = false},
    {.key = "remote_address", .title = "RADDR", .width = -18, .help = "the other end, with -B", .by_default = false},
    {.key = "remote_port", .title = "RPORT", .width = 5, .help = "with --by-remote-port", .by_default = false},
    {.key = "count", .title = "COUNT", .width = 10, .help = "segments that were received"},
    {.key = "avg_ns", .title = "AVERAGE", .unit = Unit::kNs, .width = 7, .help = "round-trip time, of all of them"},
    {.key = "rtt_ns", .title = "RTT", .unit = Unit::kNs, .help = "the same, in a histogram", .by_default = false},
};
constexpr size_t kKeys = 4, kTableColumns = std::size(kColumns) - 1;  // in the order of enum rtt_by

#define RTT_KEY_FIELDS(type) {"by", offsetof(type, key.by), 8}, WIRE_ENDS(type, key.ends)

constexpr WireField kSlotFields[] = {
    WIRE_NUMBER(rtt_slot_entry, from_ns),
    WIRE_NUMBER(rtt_slot_entry, to_ns),
    {"count", offsetof(rtt_slot_entry, value.count), 8},
    RTT_KEY_FIELDS(rtt_slot_entry),
    {"zero", offsetof(rtt_slot_entry, key.zero), 4},
    {"slot", offsetof(rtt_slot_entry, key.slot), 4},
};
constexpr Wire kSlotWire = {"slot", sizeof(rtt_slot_entry), kSlotFields};

constexpr WireField kSumFields[] = {
    WIRE_NUMBER(rtt_sum_entry, from_ns),
    WIRE_NUMBER(rtt_sum_entry, to_ns),
    {"count", offsetof(rtt_sum_entry, value.count), 8},
    {"sum_ns", offsetof(rtt_sum_entry, value.sum_ns), 8},
    RTT_KEY_FIELDS(rtt_sum_entry),
};
constexpr Wire kSumWire = {"sum", sizeof(rtt_sum_entry), kSumFields};

// Nothing where it was not asked for.
std::vector<Value> key_values(uint64_t by, const sock_ends &ends) {
  const auto if_by = [by](uint64_t bit, Value value) { return by & bit ? std::move(value) : Value(); };
  return {if_by(RTT_BY_LOCAL, address(ends.local_hi, ends.local_lo)),
          if_by(RTT_BY_LOCAL_PORT, uint64_t{ends.local_port}),
          if_by(RTT_BY_REMOTE, address(ends.remote_hi, ends.remote_lo)),
          if_by(RTT_BY_REMOTE_PORT, uint64_t{ends.remote_port})};
}

std::vector<Field> keys_of(const void *entry, Names &) {
  const rtt_slot_key &key = static_cast<const rtt_slot_entry *>(entry)->key;
  std::vector<Field> keys;
  size_t column = 0;
  for (Value &value : key_values(key.by, key.ends)) {
    if (value != Value()) keys.push_back({&kColumns[column], std::move(value)});
    column++;
  }
  return keys;
}

Row average_row(const rtt_sum_entry &e, Names &) {
  Row row = key_values(e.key.by, e.key.ends);
  row.emplace_back(uint64_t{e.value.count});
  row.push_back(e.value.count > 0 ? Value(e.value.sum_ns / e.value.count) : Value());
  return row;
}

constexpr Histograms kHistograms = histograms_of<rtt_slot_entry>(kSlotWire, kColumns[kTableColumns], keys_of);
constexpr Tops kAverages = tops_of<rtt_sum_entry, average_row>(kSumWire, "avg_ns");

// A table instead of histograms, or the other way round.
void show_averages(Session &session, const Tool &tool, uint64_t by) {
  std::vector<Column> columns(std::begin(kColumns), std::begin(kColumns) + kTableColumns);
  for (size_t i = 0; i < kKeys; i++) columns[i].by_default = by >> i & 1;
  Tool shown = tool;
  shown.formats = kRowFormats;
  session.show(shown, std::move(columns));
}

void show_histograms(Session &session, const Tool &tool) {
  refuse(session.values(), {"sort", "rows", "columns"}, "is for the table of --average");
  Tool shown = tool;
  shown.takes &= ~kTakesTable;
  session.show(shown);
}

}  // namespace
}  // namespace strata
