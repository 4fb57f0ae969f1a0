// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Samples with their stacks and their time, as a flame graph of which a heat map opens a part.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/clock.h"
#include "model/loss.h"
#include "model/stack_tree.h"
#include "model/table.h"
#include "render/flame.h"
#include "render/item.h"

namespace strata {

// Of the local day, 0 to 86,399.
uint32_t second_of_day(const Clocks &clocks, uint64_t ns);

class TimedStacks {
 public:
  void add(const Table &table, const Clocks &clocks);  // its rows that have a time and a weight

  // Its parts are counted from `from_ns` on; without data if there was nothing.
  [[nodiscard]] FlameParts flame(const RunInfo &info, std::span<const Loss> losses, uint64_t from_ns) const;

 private:
  StackTree tree_;
  StackTimes times_;
  const Field *weight_ = nullptr;
  bool threads_ = false;
  uint64_t from_ns_ = 0, to_ns_ = 0;
};

}  // namespace strata
