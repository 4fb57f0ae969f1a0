// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/heatmap.h"

#include <algorithm>
#include <utility>

namespace strata {
namespace {

constexpr uint32_t kSlots = 976;  // slot_of(UINT64_MAX) + 1

// Multiples of the step, so that the bounds are round: a step of 16 is a power of two.
ValueAxis aligned(uint32_t low, uint32_t high, uint32_t step) {
  const uint32_t first = low / step * step;
  return {.first = first, .step = step, .cells = high / step - first / step + 1};
}

constexpr Shades kScales[] = {
    {{1, 2, 4, 8, 16, 32, 64, 128, 256}},
    {{1, 3, 10, 30, 100, 300, 1000, 3000, 10'000}},
    {{1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000}},
};

}  // namespace

ValueAxis ValueAxis::around(uint32_t low, uint32_t high, uint32_t most) {
  uint32_t step = 1;
  while (aligned(low, high, step).cells > most) step *= 2;
  return aligned(low, high, step);
}

ValueAxis ValueAxis::with_room(uint32_t low, uint32_t high, uint32_t cells) {
  const ValueAxis axis = around(low, high, cells - cells / 4);
  const uint32_t whole = (kSlots + axis.step - 1) / axis.step;
  const uint32_t first = axis.first / axis.step;
  const uint32_t below = std::min((cells - axis.cells) / 3, first);
  const uint32_t most_first = whole > cells ? whole - cells : 0;
  return {.first = std::min(first - below, most_first) * axis.step, .step = axis.step, .cells = cells};
}

uint64_t ValueAxis::low(uint32_t cell) const {
  const uint32_t slot = first + cell * step;
  return slot < kSlots ? Histogram::slot_low(slot) : UINT64_MAX;
}

uint64_t ValueAxis::high(uint32_t cell) const {
  return Histogram::slot_high(std::min(first + (cell + 1) * step, kSlots) - 1);
}

const Shades &Shades::for_most(uint64_t most) {
  for (const Shades &scale : kScales) {
    if (scale.least.back() >= most / 2) return scale;
  }
  return *std::rbegin(kScales);
}

size_t Shades::shade_of(uint64_t count) const {
  const auto above = std::upper_bound(least.begin(), least.end(), count);
  return above == least.begin() ? 0 : static_cast<size_t>(above - least.begin()) - 1;
}

// The column of the interval, if it has none yet.
void Heatmap::open(uint64_t from_ns, uint64_t to_ns) {
  if (open_) return;
  open_ = true;
  if (!columns_.empty() && in_last_ < merged_) return;
  if (columns_.size() == most_columns_) halve();
  columns_.push_back({.from_ns = from_ns, .to_ns = to_ns});
  in_last_ = 0;
}

size_t Heatmap::add(const Distribution &distribution) {
  open(distribution.from_ns, distribution.to_ns);
  Row row;
  for (const NamedValue &key : distribution.keys) row.push_back(key.value);
  const auto [at, added] = found_.emplace(std::pair(distribution.column, std::move(row)), layers_.size());
  if (added) layers_.push_back({.column = distribution.column, .keys = distribution.keys, .total = {}, .columns = {}});
  Layer &layer = layers_[at->second];
  layer.total.merge(distribution.values);
  layer.columns.resize(columns_.size());
  const std::vector<uint64_t> &slots = distribution.values.slots();
  for (uint32_t slot = 0; slot < slots.size(); slot++) {
    if (slots[slot] != 0) layer.columns.back()[slot] += slots[slot];
  }
  return at->second;
}

void Heatmap::interval(uint64_t from_ns, uint64_t to_ns) {
  open(from_ns, to_ns);
  open_ = false;
  columns_.back().to_ns = to_ns;
  in_last_++;
}

// Two neighbours become one: there is an even number of columns, all full.
void Heatmap::halve() {
  for (size_t i = 0; i < columns_.size() / 2; i++) {
    columns_[i] = {.from_ns = columns_[2 * i].from_ns, .to_ns = columns_[2 * i + 1].to_ns};
  }
  columns_.resize(columns_.size() / 2);
  for (Layer &layer : layers_) {
    layer.columns.resize(2 * columns_.size());
    for (size_t i = 0; i < columns_.size(); i++) {
      Counts merged = std::move(layer.columns[2 * i]);
      for (const auto &[slot, count] : layer.columns[2 * i + 1]) merged[slot] += count;
      layer.columns[i] = std::move(merged);
    }
    layer.columns.resize(columns_.size());
  }
  merged_ *= 2;
  in_last_ = merged_;
}

}  // namespace strata
