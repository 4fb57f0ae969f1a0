// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/day.h"

#include <ctime>
#include <utility>

#include "base/format.h"

namespace strata {

std::string Day::next(uint64_t event_ns) {
  constexpr uint64_t kSecond = 1'000'000'000;
  const uint64_t wall_ns = clocks_.wall_ns(event_ns);
  if (wall_ns < wall_end_ns_) return "";  // a recording may have times from before the clocks were read
  const auto seconds = static_cast<time_t>(wall_ns / kSecond);
  tm local{};
  localtime_r(&seconds, &local);
  tm midnight = {.tm_mday = local.tm_mday + 1, .tm_mon = local.tm_mon, .tm_year = local.tm_year, .tm_isdst = -1};
  const bool first = std::exchange(wall_end_ns_, static_cast<uint64_t>(mktime(&midnight)) * kSecond) == 0;
  end_ns_ = event_ns + (wall_end_ns_ - wall_ns);
  if (first) return "";
  return formatted("-- {:04}-{:02}-{:02} --\n", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

}  // namespace strata
