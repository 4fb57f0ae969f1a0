// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Time: the clock of the events, and its relation to the clock on the wall.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

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
  // Nanoseconds from this moment to "14:03:07" or "14:03:07.25", local time, within 12 hours either way; nothing: it is
  // no time of day.
  [[nodiscard]] std::optional<int64_t> until_time_of_day(std::string_view text) const;
};

}  // namespace strata
