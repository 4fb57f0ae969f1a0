// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A table made of tables: one that several tools share, and a tool's own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace strata {

template <typename T, size_t... kSizes>
constexpr auto joined(const T (&...tables)[kSizes]) {
  std::array<T, (kSizes + ...)> all;
  auto end = all.begin();
  ((end = std::copy(std::begin(tables), std::end(tables), end)), ...);
  return all;
}

}  // namespace strata
