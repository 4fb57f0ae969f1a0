// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/second_parts.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace strata {
namespace {

constexpr uint64_t kSecond = 1'000'000'000, kPart = kSecond / 32;
constexpr uint64_t kMostEmpty = 600;  // seconds in a row: a recording may say anything
constexpr Field kPartColumn = {.key = "second_part", .title = "PART", .unit = Unit::k32nds};

}  // namespace

void SecondParts::add(const Table &table, const Clocks &clocks) {
  if (!table.weight) return;
  const auto time = std::find_if(table.columns.begin(), table.columns.end(),
                                 [](const Field &column) { return column.key == "time_ns"; });
  const auto at = static_cast<size_t>(time - table.columns.begin());
  const auto has_time = [&](const Row &row) { return at < row.size() && std::holds_alternative<uint64_t>(row[at]); };
  if (!table.rows.empty() && std::none_of(table.rows.begin(), table.rows.end(), has_time))
    throw Error("a heat map needs the time of each sample: record with -o heatmap or --by time, too");
  for (const Row &row : table.rows) {
    if (!has_time(row)) continue;  // what found no room in the table of the others
    const uint64_t wall_ns = clocks.wall_ns(std::get<uint64_t>(row[at]));
    const uint64_t second = std::max(wall_ns / kSecond, taken_);
    seconds_[second].add(wall_ns % kSecond / kPart, std::get<uint64_t>(row[*table.weight]));
  }
}

bool SecondParts::next(uint64_t until_ns, const Clocks &clocks, Distribution &one) {
  if (seconds_.empty()) return false;
  const uint64_t first = seconds_.begin()->first;
  const uint64_t second = taken_ == 0 || first - taken_ > kMostEmpty ? first : taken_;
  const uint64_t from_ns = second * kSecond - clocks.realtime_ns + clocks.monotonic_ns;
  if (until_ns < from_ns + kSecond) return false;
  one = {.column = &kPartColumn, .keys = {}, .from_ns = from_ns, .to_ns = from_ns + kSecond, .values = {}};
  if (second == first) {
    one.values = std::move(seconds_.begin()->second);
    seconds_.erase(seconds_.begin());
  }
  taken_ = second + 1;
  return true;
}

}  // namespace strata
