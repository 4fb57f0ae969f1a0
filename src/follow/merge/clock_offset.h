// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How far the clock of another host is ahead, from what each of the two saw of the same bytes: what arrived had been
// sent before, and was acknowledged after.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace strata {

// Of one segment: the other clock is ahead by so many nanoseconds, both included.
struct OffsetBounds {
  static constexpr int64_t kNoLow = std::numeric_limits<int64_t>::min();

  int64_t at_ns = 0;  // by the other clock
  int64_t low_ns = kNoLow, high_ns = 0;
};

struct ClockOffset {
  int64_t at_ns = 0, offset_ns = 0;
  double rate = 0;       // by which the other clock is the faster one: 1e-6 is 1 us in a second
  int64_t error_ns = 0;  // either way, at any of the moments that it was made of
  bool fits_all = true;  // else a host slept meanwhile, and `error_ns` is what the worst bounds miss
  bool known = true;     // else no bound is a lower one: it is the most that it can be

  [[nodiscard]] int64_t at(int64_t ns) const {
    return offset_ns + static_cast<int64_t>(rate * static_cast<double>(ns - at_ns));
  }
};

// Which bounds most of them agree with, up to what clocks that are adjusted drift from one to the next: the others are
// of other bytes, whose sequence numbers are the same (they are modulo 1 << 32), or of a time before or after a host
// slept. By place, true for those; for all if there is no lower bound.
std::vector<bool> that_agree(std::span<const OffsetBounds> bounds);

inline constexpr double kMostDrift = 1e-3;  // each is adjusted by at most 500 us in a second

// In the middle of what fits all bounds, of which there is one at least: with clocks of one speed, or if that fits
// nothing, of two. The error is that of all speeds that fit, which are at most kMostDrift apart.
ClockOffset offset_of(std::span<const OffsetBounds> bounds);

}  // namespace strata
