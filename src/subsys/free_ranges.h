// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What is free of a table that is given out in ranges.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace strata {

class FreeRanges {
 public:
  void add(uint32_t first, uint32_t count);
  std::optional<uint32_t> take(uint32_t count);  // the first of so many in a row; nullopt if there are none
  void clear() { ranges_.clear(); }

 private:
  std::map<uint32_t, uint32_t> ranges_;  // count by first
};

}  // namespace strata
