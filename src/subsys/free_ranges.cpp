// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/free_ranges.h"

#include <algorithm>

namespace strata {

void FreeRanges::add(uint32_t first, uint32_t count) {
  if (count != 0) ranges_[first] = count;
}

std::optional<uint32_t> FreeRanges::take(uint32_t count) {
  const auto at = std::find_if(ranges_.begin(), ranges_.end(), [&](const auto &one) { return one.second >= count; });
  if (at == ranges_.end()) return std::nullopt;
  const auto [first, free] = *at;
  ranges_.erase(at);
  add(first + count, free - count);
  return first;
}

}  // namespace strata
