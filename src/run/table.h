// The shape of a top: counters by key in a hash map of the BPF side (bpf/lib/core/table.h) become rows, interval by
// interval.
//
// What a tool shares with its BPF side is an entry: struct { __u64 from_ns, to_ns; struct KEY key; struct VALUE value;
// }, KEY and VALUE being the map's, VALUE of 64-bit counters only. It is also what a recording has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "model/column.h"
#include "rec/wire.h"

namespace strata {

class Names;
class Object;
class Recording;
class Session;

struct Entries {
  const Wire *wire;
  size_t key_at, value_at;                  // offsets in the entry
  uint32_t shards = 1;                      // COUNT_SHARDS if the map is a COUNTS() of bpf/lib/core/counts.h
  std::string_view cells = {};              // an array in front of the map (bpf/lib/core/cells.h)
  void (*complete)(void *entry) = nullptr;  // adds what the machine says; then no interval is without its entries
};
template <typename Entry>
constexpr Entries entries_of(const Wire &wire) {
  return {.wire = &wire, .key_at = offsetof(Entry, key), .value_at = offsetof(Entry, value)};
}

struct Tops {
  Entries entries;
  Row (*decode)(const void *entry, Names &names);
  std::string_view sort;  // the column that orders the rows unless --sort does, greatest first
  std::span<const std::string_view> losses = {};
};

template <typename Entry, Row (*decode)(const Entry &, Names &)>
constexpr Tops tops_of(const Wire &wire, std::string_view sort, std::span<const std::string_view> losses = {}) {
  return {.entries = entries_of<Entry>(wire),
          .decode = [](const void *entry, Names &names) { return decode(*static_cast<const Entry *>(entry), names); },
          .sort = sort,
          .losses = losses};
}

// `map` is the name of the hash map. Options: kTakesInterval, kTakesTable. The exit status.
int run_table(Session &session, Object &object, std::string_view map, const Tops &tops);
int run_table(Session &session, Object &object, const struct Source &source, const Tops &tops);  // run/intervals.h
int replay_table(Recording &recording, Session &session, const Tops &tops);

template <const Tops &tops>
int replay_table(Recording &recording, Session &session) {
  return replay_table(recording, session, tops);
}

}  // namespace strata
