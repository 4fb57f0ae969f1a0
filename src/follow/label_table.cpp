// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/label_table.h"

#include <algorithm>
#include <functional>
#include <variant>

namespace strata {

void LabelTable::add(const Sample &sample, const Field &label, std::span<const uint64_t> layer_ns) {
  const auto is_it = [&label](const NamedValue &field) { return field.column == &label; };
  const auto field = std::ranges::find_if(sample.fields, is_it);
  const auto *text = field == sample.fields.end() ? nullptr : std::get_if<std::string>(&field->value);
  const bool has_room = text != nullptr && (rows_.size() < kMost || rows_.contains(*text));
  Row &row = has_room ? rows_[*text] : others_;
  row.ns.add(sample.seen_ns);
  Slot &slot = row.slots[Histogram::slot_of(sample.seen_ns)];
  slot.n++;
  slot.layer_ns.resize(layer_ns.size());
  for (size_t i = 0; i < layer_ns.size(); i++) slot.layer_ns[i] += layer_ns[i];
}

// Of samples by their rank, from the fastest (0) on: `from` <= rank < `to`.
std::vector<double> LabelTable::mean_between(const Row &row, uint64_t from, uint64_t to) {
  std::vector<double> mean;
  uint64_t before = 0;
  for (const auto &[number, slot] : row.slots) {
    const uint64_t first = std::max(from, before), end = std::min(to, before + slot.n);
    before += slot.n;
    mean.resize(slot.layer_ns.size());
    if (first >= end) continue;
    const double part = static_cast<double>(end - first) / static_cast<double>(slot.n);
    for (size_t i = 0; i < mean.size(); i++)
      mean[i] += part * static_cast<double>(slot.layer_ns[i]) / static_cast<double>(to - from);
  }
  return mean;
}

LabelTimes LabelTable::times_of(const Row &row, std::span<const std::string_view> layers) {
  LabelTimes times = {.label = {}, .ns = row.ns, .parts = {}};
  const uint64_t n = row.ns.count();
  const std::vector<double> median = mean_between(row, n * 45 / 100, (n * 55 + 99) / 100);
  const std::vector<double> slowest = mean_between(row, n - std::max<uint64_t>(1, n / 100), n);
  for (size_t i = 0; i < layers.size(); i++)
    if (median[i] != 0 || slowest[i] != 0)
      times.parts.push_back({.layer = layers[i], .median_ns = median[i], .slowest_ns = slowest[i]});
  return times;
}

std::vector<LabelTimes> LabelTable::rows(std::span<const std::string_view> layers) const {
  std::vector<LabelTimes> rows;
  if (rows_.empty()) return rows;
  for (const auto &[label, row] : rows_) {
    rows.push_back(times_of(row, layers));
    rows.back().label = label;
  }
  std::ranges::stable_sort(rows, std::greater(), [](const LabelTimes &times) { return times.ns.sum(); });
  if (others_.ns.count() != 0) rows.push_back(times_of(others_, layers));
  return rows;
}

}  // namespace strata
