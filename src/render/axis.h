// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where an axis has its labels: as many as find room, at round values.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "model/field.h"
#include "model/heatmap.h"

namespace strata {

struct Tick {
  double at;  // cells from the axis's beginning; for time: a part of the whole, 0 to 1
  std::string label;
};

std::string round_text(const Field &column, uint64_t value, const Clocks &clocks);  // "1us", where it is exact

// Two labels are at least `gap` + `per_letter` * length of the first cells apart. There is at least one.
std::vector<Tick> value_ticks(const ValueAxis &axis, const Field &column, const Clocks &clocks, double gap,
                              double per_letter);
// About `column_ns` apart or more.
std::vector<Tick> time_ticks(const Clocks &clocks, const TimeSpan &span, uint64_t column_ns, size_t most);

}  // namespace strata
