// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Sums over a summary that several formats show.
#pragma once

#include <cstdint>
#include <vector>

#include "model/sample.h"

namespace strata {

inline uint64_t whole_time_ns(const std::vector<LayerTimes> &layers) {
  uint64_t whole_ns = 0;
  for (const LayerTimes &times : layers) whole_ns += times.ns.sum();
  return whole_ns;
}

inline double share_percent(const LayerTimes &times, uint64_t whole_ns) {
  return whole_ns == 0 ? 0 : 100 * static_cast<double>(times.ns.sum()) / static_cast<double>(whole_ns);
}

}  // namespace strata
