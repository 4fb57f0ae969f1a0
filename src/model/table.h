// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the table shape collects in one interval: rows that are already in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/field.h"

namespace strata {

// The name of a row of all that found no room, where the others have theirs.
inline constexpr std::string_view kOthers = "(others)";

struct Table {
  Schema columns;
  uint64_t from_ns = 0;  // CLOCK_MONOTONIC: the interval that it covers
  uint64_t to_ns = 0;
  std::vector<Row> rows;
  uint64_t left_out = 0;              // rows that --rows cut
  std::optional<size_t> weight = {};  // the column by which rows with stacks are weighed
};

}  // namespace strata
