// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/stack_tree.h"

#include <algorithm>
#include <numeric>

namespace strata {

StackTree::StackTree() { places_.push_back({.name = name_number("all"), .parent = 0, .level = 0, .self = {}}); }

uint32_t StackTree::name_number(std::string_view name) {
  if (const auto known = name_numbers_.find(name); known != name_numbers_.end()) return known->second;
  const auto [added, is_new] = name_numbers_.emplace(name, static_cast<uint32_t>(names_.size()));
  names_.push_back(&added->first);
  return added->second;
}

uint32_t StackTree::child(uint32_t parent, uint32_t name) {
  const uint64_t key = uint64_t{parent} << 32 | name;
  const auto [place, is_new] = places_by_key_.try_emplace(key, static_cast<uint32_t>(places_.size()));
  if (is_new) places_.push_back({.name = name, .parent = parent, .level = places_[parent].level + 1, .self = {}});
  return place->second;
}

uint32_t StackTree::add(std::span<const std::string_view> frames, uint64_t weight, size_t run) {
  uint32_t place = 0;
  for (const std::string_view frame : frames) place = child(place, name_number(frame));
  places_[place].self[run] += weight;
  total_[run] += weight;
  return place;
}

std::vector<uint32_t> StackTree::by_parent_and_name() const {
  std::vector<uint32_t> order(names_.size()), rank(names_.size()), places(places_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) { return *names_[a] < *names_[b]; });
  for (uint32_t i = 0; i < order.size(); i++) rank[order[i]] = i;
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin() + 1, places.end(), [&](uint32_t a, uint32_t b) {
    const Place &one = places_[a], &other = places_[b];
    return one.parent != other.parent ? one.parent < other.parent : rank[one.name] < rank[other.name];
  });
  return places;
}

std::vector<StackTree::Node> StackTree::nodes() const {
  const std::vector<uint32_t> ordered = by_parent_and_name();
  std::vector<uint32_t> first(places_.size() + 2);  // of the children of each, in what is ordered
  for (uint32_t i = 1; i < places_.size(); i++) first[places_[i].parent + 1]++;
  first[0] = 1;
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Weights> totals(places_.size());
  for (size_t i = places_.size(); i-- > 0;) {
    for (size_t run = 0; run < totals[i].size(); run++) {
      totals[i][run] += places_[i].self[run];
      if (i != 0) totals[places_[i].parent][run] += totals[i][run];
    }
  }
  std::vector<Node> nodes;
  nodes.reserve(places_.size());
  std::vector<uint32_t> rest = {0};
  while (!rest.empty()) {
    const uint32_t at = rest.back();
    rest.pop_back();
    const Place &place = places_[at];
    nodes.push_back({.name = place.name, .level = place.level, .self = place.self, .total = totals[at], .place = at});
    for (uint32_t i = first[at + 1]; i-- > first[at];) rest.push_back(ordered[i]);
  }
  return nodes;
}

}  // namespace strata
