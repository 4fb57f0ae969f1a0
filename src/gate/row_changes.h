// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What is another in the rows of one recording than in those of another, judged as against a baseline
// (gate/baseline.h): counts are compared exactly, percentiles where both have the values that these need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/row_totals.h"
#include "model/field.h"

namespace strata {

struct RowChange {
  // What there is only in one of them; distributions, of times or of sizes; counts and sums. In this order.
  enum class Is : uint8_t { kNew, kGone, kSlower, kGreater, kFaster, kSmaller, kMore, kFewer };
  Is is;
  std::string metric;  // "count", "size_bytes", "p99(lat_ns)"
  Unit unit = Unit::kNone;
  uint64_t before = 0, after = 0;
  std::vector<std::string> row;  // what tells it apart
};

// Throws Error where the two are not of the same tool, view and options.
std::vector<RowChange> row_changes(const RowTotals &before, const RowTotals &after);

// As `strata diff` shows them, beside the columns of stacks, of which they have before_count and after_count.
inline constexpr Field kRowChangeColumns[] = {
    {.decode = {.type = Type::kText},
     .key = "difference",
     .title = "DIFFERENCE",
     .width = -10,
     .help = "of a row: new, gone, slower, greater, faster, smaller, more or fewer",
     .hidden = true},
    {.decode = {.type = Type::kText},
     .key = "metric",
     .title = "METRIC",
     .width = -14,
     .help = "what is compared of it: count, the sum of a column, p99(COLUMN)",
     .hidden = true},
    {.decode = {.type = Type::kText},
     .key = "before",
     .title = "BEFORE",
     .width = 8,
     .help = "its value in A",
     .hidden = true},
    {.decode = {.type = Type::kText}, .key = "after", .title = "AFTER", .width = 8, .help = "and in B", .hidden = true},
    {.decode = {.type = Type::kText},
     .key = "row",
     .title = "ROW",
     .unit = Unit::kWords,
     .help = "its columns that are the same in A and in B, as KEY=TEXT",
     .hidden = true},
};

// Each of these columns.
std::vector<Row> rows_of(const std::vector<RowChange> &changes, Schema columns);

}  // namespace strata
