// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A distribution as bars between round values, with its percentiles and what they are worth.
#include <algorithm>
#include <iterator>

#include "base/format.h"
#include "base/text.h"
#include "render/axis.h"
#include "render/percentiles.h"
#include "render/text.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr size_t kLeastCells = 10;
constexpr ptrdiff_t kLeastElided = 3;  // bars without a value

struct Bar {
  std::string values;  // "[4KiB, 8KiB)", or one value; empty: some that are left out
  uint64_t count = 0;
};

// Where the bars begin: times at 1, 2 and 5 of each power of ten, all else at powers of two. Small numbers of things
// have a bar each, as far as their slots are exact.
std::vector<uint64_t> edges_of(const Field &column) {
  std::vector<uint64_t> edges = {0};
  const bool times = column.unit == Unit::kNs;
  if (column.unit == Unit::kNone)
    for (uint64_t value = 1; value < 1 << Histogram::kPrecisionBits; value++) edges.push_back(value);
  for (uint64_t power = 1;; power *= times ? 10 : 2) {
    for (const uint64_t multiple : {1, 2, 5}) {
      if ((multiple > 1 && !times) || multiple > UINT64_MAX / power) continue;
      if (power * multiple > edges.back()) edges.push_back(power * multiple);
    }
    if (power > UINT64_MAX / (times ? 10 : 2)) return edges;
  }
}

// From the first that has a value to the last. A value counts as the greatest of its slot, but not above the maximum,
// as in the percentiles: else the last bar would be one that begins above it.
std::vector<Bar> bars_of(const Distribution &distribution, const Clocks &clocks) {
  const Field &column = *distribution.column;
  const std::vector<uint64_t> edges = edges_of(column), &slots = distribution.values.slots();
  std::vector<uint64_t> counts(edges.size());
  for (uint32_t slot = 0; slot < slots.size(); slot++) {
    if (slots[slot] == 0) continue;
    const uint64_t value = std::min(Histogram::slot_high(slot), distribution.values.max());
    const auto above = std::upper_bound(edges.begin(), edges.end(), value);
    counts[static_cast<size_t>(above - edges.begin()) - 1] += slots[slot];
  }
  const auto text_of = [&](uint64_t value) { return round_text(column, value, clocks); };
  std::vector<Bar> bars;
  for (size_t i = 0; i < edges.size(); i++) {
    const bool last = i + 1 == edges.size();
    const bool alone = !last && edges[i + 1] == edges[i] + 1;
    const std::string range = "[" + text_of(edges[i]) + ", " + (last ? "..." : text_of(edges[i + 1])) + ")";
    bars.push_back({.values = alone ? text_of(edges[i]) : range, .count = counts[i]});
  }
  const auto used = [](const Bar &bar) { return bar.count > 0; };
  bars.erase(std::find_if(bars.rbegin(), bars.rend(), used).base(), bars.end());
  bars.erase(bars.begin(), std::find_if(bars.begin(), bars.end(), used));
  for (auto bar = bars.begin(); bar != bars.end(); bar++) {
    const auto next = std::find_if(bar, bars.end(), used);
    if (next - bar >= kLeastElided) *(bar = bars.erase(bar, next - 1)) = {};
  }
  return bars;
}

// A count above 0 is seen: as a dot, if it is less than one cell.
std::string bar_text(uint64_t count, uint64_t most, size_t cells) {
  const double part = static_cast<double>(count) / static_cast<double>(most);
  const auto length = static_cast<size_t>(static_cast<double>(cells) * part);
  return count > 0 && length == 0 ? "." : std::string(length, '#');
}

std::string bars_text(const std::vector<Bar> &bars, size_t columns) {
  size_t values = 18;
  size_t count = 0;
  uint64_t most = 0;
  for (const Bar &bar : bars) {
    values = std::max(values, cells(bar.values));
    count = std::max(count, std::to_string(bar.count).size());
    most = std::max(most, bar.count);
  }
  const size_t others = values + count + 4;
  const size_t wide = std::clamp(columns > others ? columns - others : 0, kLeastCells, columns / 2);
  std::string text;
  for (const Bar &bar : bars) {
    text += padded(bar.values.empty() ? "..." : bar.values, static_cast<int>(values));
    if (!bar.values.empty()) text += formatted(" |{:<{}}| {}", bar_text(bar.count, most, wide), wide, bar.count);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string distribution_text(const Distribution &distribution, const Clocks &clocks, size_t columns) {
  const Histogram &values = distribution.values;
  std::string title = distribution_name(*distribution.column, distribution.keys, clocks);
  title += ": " + count_text(values.count());
  std::string text;
  for (const std::string &line : wrapped(title, columns)) text += line + "\n";
  if (values.count() == 0) return text;
  text += sum_text(*distribution.column, values, clocks) + "\n";
  for (const std::string &line : wrapped(percentiles_text(*distribution.column, values, clocks), columns)) {
    text += line + "\n";
  }
  return text + bars_text(bars_of(distribution, clocks), columns);
}

}  // namespace strata
