// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A heat map: time by value by count. Columns of time grow coarser as a run gets longer, so that memory does not grow
// with it; values keep the slots of their Histogram, and an axis takes slots together for a view.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "model/distribution.h"

namespace strata {

// Cells of `step` slots each, a power of two: the scale is linear below 2^kPrecisionBits and logarithmic above, and
// the bounds of a cell are exact.
struct ValueAxis {
  uint32_t first = 0;  // slot
  uint32_t step = 1;   // slots in a cell
  uint32_t cells = 0;

  // The finest axis of at most `most` cells (at least 61) from slot `low` to slot `high`.
  static ValueAxis around(uint32_t low, uint32_t high, uint32_t most);
  // One of exactly `cells` (at least 42), a quarter of them or more as room for later values, most of it above.
  static ValueAxis with_room(uint32_t low, uint32_t high, uint32_t cells);

  static ValueAxis whole_second() { return {.first = 0, .step = 1, .cells = 32}; }  // of Unit::k32nds

  [[nodiscard]] bool covers(uint32_t slot) const { return slot >= first && slot < first + step * cells; }
  [[nodiscard]] uint32_t cell_of(uint32_t slot) const { return (slot - first) / step; }
  [[nodiscard]] uint64_t low(uint32_t cell) const;   // least value
  [[nodiscard]] uint64_t high(uint32_t cell) const;  // greatest value
};

// Counts as one of nine shades on a logarithmic scale of round numbers, the same for a whole map.
struct Shades {
  static constexpr size_t kCount = 9;

  std::array<uint64_t, kCount> least;  // that a shade stands for; the last stands for more too

  // The finest of three scales whose last shade begins at half of `most` or above, if there is one.
  static const Shades &for_most(uint64_t most);
  [[nodiscard]] size_t shade_of(uint64_t count) const;  // of a count above 0
};

struct TimeSpan {
  uint64_t from_ns = 0;  // CLOCK_MONOTONIC
  uint64_t to_ns = 0;
};

// The maps of a run, one for each distribution that keys tell apart, over the same columns of time.
class Heatmap {
 public:
  using Counts = std::map<uint32_t, uint64_t>;  // by slot

  struct Layer {
    const Field *column;
    std::vector<NamedValue> keys;
    Histogram total;
    std::vector<Counts> columns;  // not more than the map has; those that are missing at the end are empty
  };

  explicit Heatmap(size_t most_columns) : most_columns_(most_columns) {}  // even

  size_t add(const Distribution &distribution);     // of the interval that ends next; the index of its layer
  void interval(uint64_t from_ns, uint64_t to_ns);  // in order of time; also one without any distribution

  [[nodiscard]] std::span<const TimeSpan> columns() const { return columns_; }
  [[nodiscard]] std::span<const Layer> layers() const { return layers_; }  // as they were first seen

 private:
  void open(uint64_t from_ns, uint64_t to_ns);
  void halve();

  size_t most_columns_;
  size_t merged_ = 1;   // intervals that a column holds
  size_t in_last_ = 0;  // intervals that the last column holds so far
  bool open_ = false;   // add() came, interval() not yet
  std::vector<TimeSpan> columns_;
  std::vector<Layer> layers_;
  std::map<std::pair<const Field *, Row>, size_t> found_;  // index of a layer
};

}  // namespace strata
