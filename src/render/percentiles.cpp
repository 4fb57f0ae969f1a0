// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/percentiles.h"

#include <cmath>

#include "render/value.h"

namespace strata {

std::string count_text(uint64_t count) { return std::to_string(count) + (count == 1 ? " value" : " values"); }

Value average_of(const Field &column, const Histogram &values) {
  return column.unit == Unit::kNone ? Value(values.average())
                                    : Value(static_cast<uint64_t>(std::llround(values.average())));
}

std::string sum_text(const Field &column, const Histogram &values, const Clocks &clocks) {
  return "avg " + value_text(column, average_of(column, values), clocks) + ", sum " +
         value_text(column, values.sum(), clocks) + std::string(values.sum_is_estimate() ? kSumErrorText : "");
}

std::string percentiles_text(const Field &column, const Histogram &values, const Clocks &clocks) {
  std::string text;
  for (const Percentile &one : kPercentiles) {
    text +=
        (text.empty() ? "" : ", ") + std::string(one.name) + " " + value_text(column, values.percentile(one.p), clocks);
  }
  return text;
}

}  // namespace strata
