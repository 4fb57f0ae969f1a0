// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Samples with their time as distributions: of each second of the wall clock the offsets in it, so that a heat map
// shows what happens in a part of a second alone (as FlameScope does), and at which times.
#pragma once

#include <cstdint>
#include <map>

#include "base/clock.h"
#include "model/distribution.h"
#include "model/table.h"

namespace strata {

class SecondParts {
 public:
  // Of rows that are weighed. Throws Error: they have no times.
  void add(const Table &table, const Clocks &clocks);

  // put(distribution) for each second that has ended at `until_ns` of CLOCK_MONOTONIC, and for those without samples an
  // empty one.
  template <typename Put>
  void take(uint64_t until_ns, const Clocks &clocks, const Put &put) {
    for (Distribution one; next(until_ns, clocks, one);) put(one);
  }

 private:
  bool next(uint64_t until_ns, const Clocks &clocks, Distribution &one);

  std::map<uint64_t, Histogram> seconds_;  // since 1970
  uint64_t taken_ = 0;                     // all up to this one, without it
};

}  // namespace strata
