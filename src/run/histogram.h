// The shape of a distribution: slots counted by the BPF side (bpf/lib/core/hist.h) become histograms, interval by
// interval.
//
// An entry is struct { __u64 from_ns, to_ns; struct KEY key; struct { __u64 count; } value; }, KEY ending with __u32
// slot; of a HIST() without keys the slot is all of KEY. Of HISTS() slot / HIST_SLOTS says which it is.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "model/column.h"
#include "run/table.h"

namespace strata {

struct Histograms {
  Entries entries;
  size_t slot_at, count_at;  // offsets in the entry
  const Column *column;      // of the values
  std::vector<Field> (*keys)(const void *entry,
                             Names &names) = nullptr;  // what tells several apart; none: there is one
  std::span<const std::string_view> losses = {};
  bool beside_tables = false;  // the tool has tables, too: a recording without a value must tell which it is of
};

template <typename Entry>
constexpr Histograms histograms_of(const Wire &wire, const Column &column,
                                   std::vector<Field> (*keys)(const void *entry, Names &names) = nullptr,
                                   std::span<const std::string_view> losses = {}) {
  return {.entries = entries_of<Entry>(wire),
          .slot_at = offsetof(Entry, key.slot),
          .count_at = offsetof(Entry, value.count),
          .column = &column,
          .keys = keys,
          .losses = losses};
}

// The same of a map by HISTS(): the slot is all of its key.
constexpr Histograms of_slots(Histograms histograms) {
  histograms.entries.key_at = histograms.slot_at;
  return histograms;
}

// Where the object's HIST_BY map is not used: neither it nor the groups of bpf/lib/core/hist_groups.h take memory.
void without_groups(Object &object, std::string_view by_map);

// An interval without a value puts out an empty histogram if there is one, none if there would be several: then only
// the interval itself, which text and heat map show. `map` is the name of the map. Options: kTakesInterval. The exit
// status.
int run_histogram(Session &session, Object &object, std::string_view map, const Histograms &histograms);
int replay_histogram(Recording &recording, Session &session, const Histograms &histograms);

template <const Histograms &histograms>
int replay_histogram(Recording &recording, Session &session) {
  return replay_histogram(recording, session, histograms);
}

}  // namespace strata
