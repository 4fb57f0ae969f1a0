// A distribution as bars, one line per power of two, or per small number, with its percentiles and what they are worth.
#include <algorithm>
#include <bit>

#include "base/format.h"
#include "base/text.h"
#include "render/percentiles.h"
#include "render/text.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kMostCells = 40;
constexpr size_t kLeastCells = 10;

struct Bar {
  std::string values;  // "[4KiB, 8KiB)", or one value
  uint64_t count = 0;
};

std::string range_text(const Field &column, size_t bits, const Clocks &clocks) {
  const auto text_of = [&](uint64_t value) { return value_text(column, value, clocks); };
  return "[" + text_of(1ULL << (bits - 1)) + ", " + (bits < 64 ? text_of(1ULL << bits) : "...") + ")";
}

// The bars of all values, of which the first has no value below it: a power of two each. Small numbers of things have a
// bar each, as far as their slots are exact.
std::vector<Bar> all_bars(const Distribution &distribution, const Clocks &clocks) {
  const std::vector<uint64_t> &slots = distribution.values.slots();
  const size_t exact = distribution.column->unit == Unit::kNone ? Histogram::kPrecisionBits : 1;
  const size_t small = size_t{1} << exact;
  std::vector<Bar> bars(small + 64 - exact);
  for (size_t value = 0; value < small; value++) bars[value].values = value_text(*distribution.column, value, clocks);
  for (size_t bits = exact + 1; bits <= 64; bits++)
    bars[small + bits - exact - 1].values = range_text(*distribution.column, bits, clocks);
  for (uint32_t slot = 0; slot < slots.size(); slot++) {
    const uint64_t low = Histogram::slot_low(slot);
    bars[low < small ? low : small + std::bit_width(low) - exact - 1].count += slots[slot];
  }
  return bars;
}

// From the first that has a value to the last.
std::vector<Bar> bars_of(const Distribution &distribution, const Clocks &clocks) {
  std::vector<Bar> bars = all_bars(distribution, clocks);
  const auto used = [](const Bar &bar) { return bar.count > 0; };
  bars.erase(std::find_if(bars.rbegin(), bars.rend(), used).base(), bars.end());
  bars.erase(bars.begin(), std::find_if(bars.begin(), bars.end(), used));
  return bars;
}

// A count above 0 is seen: as a dot, if it is less than one cell.
std::string bar_text(uint64_t count, uint64_t most, size_t cells) {
  const double part = static_cast<double>(count) / static_cast<double>(most);
  const auto length = static_cast<size_t>(static_cast<double>(cells) * part);
  return count > 0 && length == 0 ? "." : std::string(length, '#');
}

std::string bars_text(const std::vector<Bar> &bars) {
  size_t values = 18;
  size_t count = 0;
  uint64_t most = 0;
  for (const Bar &bar : bars) {
    values = std::max(values, cells(bar.values));
    count = std::max(count, std::to_string(bar.count).size());
    most = std::max(most, bar.count);
  }
  const size_t others = values + count + 4;
  const size_t wide = std::clamp(kWidth > others ? kWidth - others : 0, kLeastCells, kMostCells);
  std::string text;
  for (const Bar &bar : bars) {
    text += formatted("{} |{:<{}}| {}\n", padded(bar.values, static_cast<int>(values)), bar_text(bar.count, most, wide),
                      wide, bar.count);
  }
  return text;
}

}  // namespace

std::string distribution_text(const Distribution &distribution, const Clocks &clocks) {
  const Histogram &values = distribution.values;
  std::string title = distribution_name(*distribution.column, distribution.keys, clocks);
  title += ": " + count_text(values.count());
  std::string text;
  for (const std::string &line : wrapped(title, kWidth)) text += line + "\n";
  if (values.count() == 0) return text;
  for (const std::string &line : wrapped(percentiles_text(*distribution.column, values, clocks), kWidth)) {
    text += line + "\n";
  }
  return text + bars_text(bars_of(distribution, clocks));
}

}  // namespace strata
