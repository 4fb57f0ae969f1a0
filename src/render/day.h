// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Text has the time of day; this tells when another day has begun.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace strata {

class Day {
 public:
  explicit Day(const Clocks &clocks) : clocks_(clocks) {}

  [[nodiscard]] bool has(uint64_t event_ns) const { return event_ns < end_ns_; }  // or an earlier one has
  // Another day, which has this event: a line with its date; of the first one nothing.
  std::string next(uint64_t event_ns);
  std::string line(uint64_t event_ns) { return has(event_ns) ? std::string() : next(event_ns); }

 private:
  const Clocks &clocks_;
  uint64_t end_ns_ = 0, wall_end_ns_ = 0;
};

}  // namespace strata
