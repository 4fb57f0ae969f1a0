// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a tool shows: a view is a type of record and a shape. A tool lists its views in a table; which one a run has,
// its options say, and the library shows, refuses, runs, records and replays it.
//
//   constexpr View kViews[] = {
//       {.name = "lines", .shape = EventSpec{.record = &kRetransmit}},
//       {.option = "flows", .name = "the table of --flows", .without = "time|sequence",
//        .shape = table_spec<flow_entry>(kFlow, "flows", "retransmits")}};
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "lib/core/hist_slots.h"
#include "model/record.h"

namespace strata {

class Emit;
class Object;
class Session;
class Values;
using Transform = std::function<void(const void *record, Resolver &resolver, const Emit &emit)>;  // run/events.h

// A record is not shown if it is false of it (it is recorded); an empty one is true of all.
using Keep = std::function<bool(const void *record)>;

// A snoop: each record of the ring buffer is a row.
struct EventSpec {
  const RecordType *record;
  std::span<const std::string_view> losses = {};  // names of the tool's own counters, from LOSS_TOOL
  Transform (*transform)() = nullptr;             // where a record is not a row; one for each run
  Keep (*keep)(const Values &options) = nullptr;  // of the run, also in its replay
};

// What the shapes of counters have in common: an entry is struct { __u64 from_ns, to_ns; struct KEY key; struct VALUE
// value; }, KEY and VALUE being the map's, VALUE of 64-bit counters only.
struct Entries {
  const RecordType *record;
  size_t key_at, value_at;  // offsets in the entry
  std::string_view map;
  size_t key_bytes = 0;                     // of the map
  size_t value_bytes = 0;                   // in the entry
  uint32_t shards = 1;                      // COUNT_SHARDS if the map is a COUNTS() of bpf/lib/core/counts.h
  std::string_view cache = {};              // an array in front of the map (bpf/lib/core/key_cache.h)
  void (*complete)(void *entry) = nullptr;  // adds what the machine says; then no interval is without its entries
  bool others = false;                      // what finds no room in the map is counted as others
  bool last_is_max = false;                 // of a value in the map: bpf/counters.h
};

// A top: counters by key become rows, interval by interval.
struct TableSpec {
  Entries entries;
  std::string_view sort;  // the column that orders the rows unless --sort does, greatest first
  std::span<const std::string_view> losses = {};
  std::string_view sort_if = {}, other_sort = {};  // where these options hold ("no-time"), this column
  // A profile: rows that differ in this column alone are one, its sum, as stacks whose functions have the same names;
  // a column that has the part which it is of all; one more that is a sum; and one that is the greatest.
  std::string_view weight = {}, share = {}, other_sum = {}, greatest = {};
  // Where the weight is samples: the option that says how many a second each CPU has, unless the other is given, which
  // samples something else than time.
  std::string_view rate = {}, rate_unless = {};
};

// A vmstat: counters without a key become a line, interval by interval.
struct LinesSpec {
  Entries entries;
  std::span<const std::string_view> losses = {};
};

// A distribution: slots counted by the BPF side (bpf/lib/core/hist.h) become histograms, interval by interval. KEY ends
// with __u32 slot. The columns of the record are the keys that tell several histograms apart: one that writes no value
// does not apply; the first column describes the values.
struct HistogramSpec {
  Entries entries;            // of the keyed map: a key, its last member the slot; for several histograms
  std::string_view unkeyed;   // the map of HIST() or HISTS(), whose key is the slot alone: for a single histogram
  size_t slot_at, values_at;  // offsets in the entry; at values_at: struct hist_values
  std::span<const std::string_view> losses = {};
};

struct View {
  std::string_view option = {};   // that selects it: "flows", "by=process|by=thread"; empty: it needs none
  std::string_view name = {};     // for messages: "lines", "the table of --flows"
  std::string_view without = {};  // options of the tool that it has no use for: "time|sequence"
  std::variant<EventSpec, TableSpec, LinesSpec, HistogramSpec> shape;
  std::span<const std::string_view> formats = {};  // unless those of its shape
};

template <typename Entry>
constexpr Entries entries_of(const RecordType &record, std::string_view map) {
  return {.record = &record,
          .key_at = offsetof(Entry, key),
          .value_at = offsetof(Entry, value),
          .map = map,
          .key_bytes = sizeof(Entry::key),
          .value_bytes = sizeof(Entry::value)};
}

constexpr bool has_column(const RecordType &record, std::string_view key) {
  for (const Field &field : record.fields)
    if (field.key == key) return true;
  return false;
}

// `sort` is the key of a column: another does not compile.
template <typename Entry>
consteval TableSpec table_spec(const RecordType &record, std::string_view map, std::string_view sort,
                               std::span<const std::string_view> losses = {}) {
  if (!has_column(record, sort)) throw "the rows are sorted by a column that is not there";
  Entries entries = entries_of<Entry>(record, map);
  entries.others = true;
  return {.entries = entries, .sort = sort, .losses = losses};
}

// Rows with stacks, which are weighed by the column that they are sorted by; `other_sum`: a second one.
consteval TableSpec weighed(TableSpec spec, std::string_view other_sum = {}) {
  spec.weight = spec.sort;
  spec.share = "share_percent";
  spec.other_sum = other_sum;
  return spec;
}

// The same rows of another map, whose key is a part of the entry's: so many bytes of it, from there.
consteval TableSpec in_map(TableSpec spec, std::string_view map, size_t key_bytes, size_t from = 0) {
  spec.entries.map = map;
  spec.entries.key_at += from;
  spec.entries.key_bytes = key_bytes;
  return spec;
}

consteval TableSpec with_sort(TableSpec spec, std::string_view sort_if, std::string_view other_sort) {
  if (!has_column(*spec.entries.record, other_sort)) throw "the rows are sorted by a column that is not there";
  spec.sort_if = sort_if;
  spec.other_sort = other_sort;
  return spec;
}

// Either name is empty if the tool has no such map. What the program fills is read: which, the options decide.
template <typename Entry>
consteval HistogramSpec histogram_spec(const RecordType &record, std::string_view unkeyed, std::string_view keyed,
                                       std::span<const std::string_view> losses = {}) {
  static_assert(std::is_same_v<decltype(Entry::value), hist_values>);
  Entries entries = entries_of<Entry>(record, keyed);
  entries.last_is_max = true;
  return {.entries = entries,
          .unkeyed = unkeyed,
          .slot_at = offsetof(Entry, key.slot),
          .values_at = offsetof(Entry, value),
          .losses = losses};
}

// Of the view that the options select, when the tool has set what is special: it is loaded, attached, shown and
// recorded. The exit status.
int run_view(Session &session, Object &object);

const RecordType &record_of(const View &view);
const Entries *entries_of_rows(const View &view);  // of a table or lines; nullptr: it has no such rows
// A column of those: one whose numbers add up over rows and intervals; or what may tell rows apart, and is no measure.
bool is_counter(const Field &column, const Entries &entries);
bool is_label(const Field &column, const Entries &entries);
std::span<const std::string_view> formats_of(const View &view);
uint32_t common_options_of(const View &view);  // kHasInterval and so on (cli/option.h), of its shape

}  // namespace strata
