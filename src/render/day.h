// Text has the time of day; this tells when another day has begun.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace strata {

class Day {
 public:
  // A line with the date, where the day is a later one than at the call before; mostly empty.
  std::string line_if_new(const Clocks &clocks, uint64_t event_ns) {
    const uint64_t wall_ns = clocks.wall_ns(event_ns);
    return wall_ns < end_ns_ ? std::string() : next(wall_ns);
  }

 private:
  std::string next(uint64_t wall_ns);

  uint64_t end_ns_ = 0;
};

}  // namespace strata
