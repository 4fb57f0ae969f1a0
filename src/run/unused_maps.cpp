// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/unused_maps.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "bpf/object.h"

namespace strata {
namespace {

struct Maps {
  std::string_view table, cache;
};

Maps maps_of(const View &view) {
  if (const auto *spec = std::get_if<TableSpec>(&view.shape)) return {spec->entries.map, spec->entries.cache};
  if (const auto *spec = std::get_if<HistogramSpec>(&view.shape)) return {spec->entries.map, ""};
  return {};
}

void shrink(Object &object, std::string_view name) {
  if (bpf_object__find_map_by_name(object.get(), std::string(name).c_str()) != nullptr) object.set_max_entries(name, 1);
}

// An array is read by its index, whatever is shown.
bool is_hash(const Object &object, std::string_view name) {
  const bpf_map *map = bpf_object__find_map_by_name(object.get(), std::string(name).c_str());
  return map != nullptr && bpf_map__type(map) == BPF_MAP_TYPE_HASH;
}

}  // namespace

void shrink_groups(Object &object, std::string_view by_map) {
  for (const std::string_view map :
       {by_map, std::string_view("hist_groups"), std::string_view("hist_blocks"), std::string_view("hist_numbers")})
    shrink(object, map);
}

void shrink_unused_maps(Object &object, std::span<const View> views, const View &shown) {
  const Maps used = maps_of(shown);
  for (const View &view : views) {
    const Maps maps = maps_of(view);
    const bool grouped = std::holds_alternative<HistogramSpec>(view.shape);
    if (!maps.cache.empty() && maps.cache != used.cache) shrink(object, maps.cache);
    if (maps.table == used.table || !is_hash(object, maps.table)) continue;
    if (grouped && !std::holds_alternative<HistogramSpec>(shown.shape)) {
      shrink_groups(object, maps.table);
    } else {
      shrink(object, maps.table);
    }
  }
}

}  // namespace strata
