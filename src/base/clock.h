// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Time: the clock of the events, and its relation to the clock on the wall.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

namespace strata {

uint64_t clock_ns(clockid_t id);
uint64_t monotonic_ns();  // CLOCK_MONOTONIC, as bpf_ktime_get_ns()

// Both clocks at one moment, so that time stamps of events can be shown as local time.
struct Clocks {
  uint64_t monotonic_ns = 0;
  uint64_t realtime_ns = 0;

  static Clocks now();
  [[nodiscard]] uint64_t wall_ns(uint64_t event_ns) const;             // since 1970
  [[nodiscard]] std::string wall_text(uint64_t event_ns) const;        // local "14:03:07.123456"
  size_t append_wall_text(std::string &out, uint64_t event_ns) const;  // the letters that it takes
};

}  // namespace strata
