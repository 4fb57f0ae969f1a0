// A distribution as bars, one line per power of two.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "render/text.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr size_t kBarCells = 40;

}  // namespace

std::string distribution_text(const Distribution &distribution, const Clocks &clocks) {
  const Column &column = *distribution.column;
  const Histogram &values = distribution.values;
  std::vector<uint64_t> powers(65);  // [i] counts the values of i bits
  for (uint32_t slot = 0; slot < values.slots().size(); slot++) {
    powers[std::bit_width(Histogram::slot_low(slot))] += values.slots()[slot];
  }
  const auto text_of = [&](uint64_t value) { return value_text(column, value, clocks); };
  std::string text =
      label_of(column) + (distribution.keys.empty() ? "" : " of " + keys_text(distribution.keys, clocks));
  text += fmt::format(": {} values", values.count());
  if (values.count() == 0) return text + "\n\n";
  text += fmt::format(", p50 {}, p90 {}, p99 {}, max {}\n", text_of(values.percentile(50)),
                      text_of(values.percentile(90)), text_of(values.percentile(99)), text_of(values.max()));

  const uint64_t most = *std::max_element(powers.begin(), powers.end());
  const auto used = [](uint64_t count) { return count > 0; };
  const auto first = std::find_if(powers.begin(), powers.end(), used) - powers.begin();
  const auto last = powers.rend() - std::find_if(powers.rbegin(), powers.rend(), used);
  for (auto bits = first; bits < last; bits++) {
    const uint64_t count = powers[static_cast<size_t>(bits)];
    const auto length =
        static_cast<size_t>(static_cast<double>(kBarCells) * static_cast<double>(count) / static_cast<double>(most));
    const uint64_t low = bits == 0 ? 0 : 1ULL << (bits - 1);
    text += fmt::format("{:>10} |{:<{}}| {}\n", text_of(low), std::string(length, '#'), kBarCells, count);
  }
  return text + "\n";
}

}  // namespace strata
