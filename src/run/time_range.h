// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A part of a recording: what happened from one time of day to another, as the outputs show times.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "rec/record_line.h"

namespace strata {

class Values;

class TimeRange {
 public:
  // "14:03:07", "14:03:07.25"; empty: no bound. Of a recording that begins with these clocks, and within 12 hours of
  // its beginning. Throws a usage Error.
  TimeRange(std::string_view from, std::string_view to, const Clocks &clocks);
  TimeRange(const Values &values, const Clocks &clocks);  // of --from and --to

  // When it happened, or the interval that it is of began; what has no time is in all ranges.
  [[nodiscard]] bool has(const Record &record) const;
  [[nodiscard]] bool has(uint64_t monotonic_ns) const { return monotonic_ns >= from_ns_ && monotonic_ns <= last_ns_; }

 private:
  uint64_t from_ns_ = 0, last_ns_ = UINT64_MAX;  // CLOCK_MONOTONIC
};

}  // namespace strata
