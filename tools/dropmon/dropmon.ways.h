// How strata dropmon was called, or a recording of it was: what is counted or listed, the columns, and the knobs.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "dropmon.rows.h"
#include "run/replay.h"

namespace strata {

struct DropWay {
  uint32_t by = DROP_BY_PLACE | DROP_BY_REASON | DROP_BY_PROTOCOL | DROP_BY_DEVICE;
  bool listed = false;
  bool reasons = true;  // the kernel tells them
};

inline DropWay asked_drop_way(const Values &values) {
  constexpr std::string_view kKeys[] = {"place", "reason", "protocol", "device"};  // in the order of enum drop_by
  DropWay way;
  way.listed = values.given("list");
  way.reasons = has_drop_reasons();
  if (values.given("by")) way.by = bits_named(values, "by", kKeys);
  if (values.given("stacks")) way.by |= DROP_BY_STACK;
  if (way.listed)
    refuse(values, {"by", "interval", "count", "sort", "rows"},
           "is for the table, not for --list, which counts nothing");
  return way;
}

inline DropWay recorded_drop_way(const Recording &recording) {
  constexpr const Wire *kWires[] = {&kDropCountWire, &kDropWire};
  DropWay way;
  scan_records(recording, kWires, [&](const WireRecord &record) {
    if (record.wire == &kStackWire) way.by |= DROP_BY_STACK;
    way.listed = record.wire == &kDropWire;
    if (way.listed) way.reasons = reinterpret_cast<const drop_event *>(record.bytes.data())->reason != DROP_NO_REASON;
    if (record.wire == &kDropCountWire) way.by = reinterpret_cast<const drop_entry *>(record.bytes.data())->key.by;
    return way.listed || record.wire == &kDropCountWire;
  });
  return way;
}

// A line has room for one of reason and place.
inline bool drop_column_is_shown(const Column &column, DropWay way) {
  if (column.key == kDropStack.key) return (way.by & DROP_BY_STACK) != 0;
  if (column.key == kDropPlace.key) return way.listed ? !way.reasons : (way.by & DROP_BY_PLACE) != 0;
  if (column.key == kDropReason.key) return way.listed ? way.reasons : (way.by & DROP_BY_REASON) != 0;
  if (way.listed) return column.by_default;
  if (column.key == kDropEther.key || column.key == kDropProto.key) return (way.by & DROP_BY_PROTOCOL) != 0;
  if (column.key == kDropDev.key) return (way.by & DROP_BY_DEVICE) != 0;
  return column.by_default;
}

inline void show_drops(Session &session, const Tool &tool, DropWay way) {
  Tool shown = tool;
  if (way.listed) shown.takes &= ~(kTakesInterval | kTakesTable);
  const Schema all = way.listed ? Schema(kDropListed) : Schema(kDropCounted);
  std::vector<Column> columns(all.begin(), all.end());
  for (Column &column : columns) column.by_default = drop_column_is_shown(column, way);
  session.show(shown, std::move(columns));
}

inline std::array<uint32_t, DROP_REASONS> wanted_reasons(const std::string &names) {
  std::array<uint32_t, DROP_REASONS> wanted = {};
  size_t used = 0;
  if (!has_drop_reasons()) throw Error("this kernel does not tell why it drops a packet (5.17 and later do)");
  for (const std::string_view name : split_commas(names)) {
    const auto number = drop_reason_number(name);
    if (!number) {
      throw usage_error("--reason takes names of this kernel's enum skb_drop_reason, such as NO_SOCKET, not '" +
                        printable(name) + "'");
    }
    if (used == wanted.size()) throw usage_error("--reason takes at most " + std::to_string(DROP_REASONS) + " reasons");
    wanted[used++] = *number;
  }
  return wanted;
}

struct DropPlaces {
  std::array<uint64_t, DROP_PLACES> from = {}, to = {};
};

inline DropPlaces wanted_places(const std::string &names) {
  DropPlaces wanted;
  size_t used = 0;
  if (!kernel_symbols().has_addresses())
    throw Error(std::string("--place needs the addresses of functions: ") + kHiddenAddresses);
  for (const std::string_view name : split_commas(names)) {
    const auto parts = kernel_symbols().functions(name);
    if (parts.empty()) throw Error("no function of the kernel is called " + printable(name) + " (see /proc/kallsyms)");
    for (const Kallsyms::Range &part : parts) {
      if (used == wanted.from.size())
        throw usage_error("--place takes at most " + std::to_string(DROP_PLACES) + " functions and parts of them");
      wanted.from[used] = part.from;
      wanted.to[used++] = part.to;
    }
  }
  return wanted;
}

// For certain ones.
inline bool asks_for_drops(const Values &values) {
  return values.given("reason") || values.given("place") || asks_for_packets(values);
}

inline void choose_drops(const Values &values, Object &object, DropWay way) {
  const int args = tracepoint_args("kfree_skb");
  object.set_knob("by", way.by);
  object.set_knob("listed", way.listed);
  object.set_knob("has_reason", args >= 3);
  object.set_knob("has_sock", args >= 4);
  if (values.given("reason")) {
    object.set_knob("by_reasons", true);
    object.set_knob("wanted_reasons", wanted_reasons(values.text("reason")));
  }
  if (values.given("place")) {
    const DropPlaces places = wanted_places(values.text("place"));
    object.set_knob("by_places", true);
    object.set_knob("place_from", places.from);
    object.set_knob("place_to", places.to);
  }
  choose_packets(values, object);
  if (way.listed)
    for (const char *unused : {"cells", "drops"}) object.set_max_entries(unused, 1);
  if (!(way.by & DROP_BY_STACK)) object.set_max_entries("stacks", 1);
}

}  // namespace strata
