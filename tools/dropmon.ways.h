// How strata dropmon was called, or a recording of it was: what is counted or listed, the columns, and the knobs.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "dropmon.rows.h"

namespace strata {

struct DropWay {
  uint32_t by = DROP_BY_PLACE | DROP_BY_REASON | DROP_BY_PROTOCOL | DROP_BY_DEVICE;
  bool listed = false;
};

inline uint32_t drop_key_named(std::string_view name) {
  constexpr std::string_view kNames[] = {"place", "reason", "protocol", "device"};
  const auto *const at = std::find(std::begin(kNames), std::end(kNames), name);
  if (at == std::end(kNames)) {
    throw usage_error("--by takes some of place, reason, protocol and device, not '" + printable(name) + "'");
  }
  return 1U << (at - kNames);
}

inline DropWay asked_drop_way(const Values &values) {
  DropWay way;
  way.listed = values.given("list");
  if (values.given("by")) way.by = 0;
  if (values.given("by"))
    for (const std::string_view name : split_commas(values.text("by"))) way.by |= drop_key_named(name);
  if (values.given("stacks")) way.by |= DROP_BY_STACK;
  if (way.listed) {
    for (const char *other : {"by", "interval", "count", "sort", "rows"})
      if (values.given(other)) throw usage_error("--list shows drops one by one: without --" + std::string(other));
  }
  return way;
}

// Read once more from the beginning, because what is shown must be known before the first record is.
inline DropWay recorded_drop_way(const Recording &recording) {
  Recording again(recording.file());
  std::vector<const Wire *> wires(Names::wires().begin(), Names::wires().end());
  wires.insert(wires.end(), {&kDropCountWire, &kDropWire, &kIntervalWire});
  DropWay way;
  bool stacks = false;
  for (WireRecord record; again.next(wires, record);) {
    stacks = stacks || record.wire == &kStackWire;
    if (record.wire == &kDropWire) return {.by = way.by | (stacks ? DROP_BY_STACK : 0), .listed = true};
    if (record.wire == &kDropCountWire)
      return {.by = reinterpret_cast<const drop_entry *>(record.bytes.data())->key.by, .listed = false};
  }
  return way;
}

inline bool drop_column_is_shown(const Column &column, DropWay way) {
  if (column.key == kDropStack.key) return (way.by & DROP_BY_STACK) != 0;
  if (way.listed) return column.by_default;
  if (column.key == kDropPlace.key) return (way.by & DROP_BY_PLACE) != 0;
  if (column.key == kDropReason.key) return (way.by & DROP_BY_REASON) != 0;
  if (column.key == kDropEther.key || column.key == kDropProto.key) return (way.by & DROP_BY_PROTOCOL) != 0;
  if (column.key == kDropDev.key) return (way.by & DROP_BY_DEVICE) != 0;
  return column.by_default;
}

inline void show_drops(Session &session, const Tool &tool, DropWay way) {
  static std::vector<Column> columns;
  static Tool shown;
  shown = tool;
  if (way.listed) {
    columns.assign(std::begin(kDropListed), std::end(kDropListed));
    shown.takes &= ~(kTakesInterval | kTakesTable);
  } else {
    columns.assign(std::begin(kDropCounted), std::end(kDropCounted));
  }
  for (Column &column : columns) column.by_default = drop_column_is_shown(column, way);
  shown.columns = columns;
  session.show(shown);
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
  if (way.listed) object.set_max_entries("drops", 1);
  if (!(way.by & DROP_BY_STACK)) object.set_max_entries("stacks", 1);
}

}  // namespace strata
