// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The two clocks and their text.
#include "base/clock.h"

#include <cmath>
#include <cstdio>
#include <ctime>

#include "base/format.h"

namespace strata {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000, kDayNs = 86'400 * kSecondNs;

// Since midnight.
std::optional<int64_t> time_of_day_ns(const std::string &text) {
  unsigned hours = 0, minutes = 0;
  double seconds = 0;
  int end = 0;
  if (text.find_first_not_of("0123456789:.") != std::string::npos ||
      sscanf(text.c_str(), "%2u:%2u:%lf%n", &hours, &minutes, &seconds, &end) != 3 ||
      static_cast<size_t>(end) != text.size() || hours > 23 || minutes > 59 || seconds >= 60)
    return std::nullopt;
  return (int64_t{hours} * 3600 + int64_t{minutes} * 60) * kSecondNs + std::llround(seconds * kSecondNs);
}

// "14:03:07.000000". Where it is asked for many times a second, the time zone takes longer than all the rest of a line.
const std::string &local_second(uint64_t seconds) {
  static uint64_t known = UINT64_MAX;
  static std::string text;
  if (seconds == known) return text;
  const auto wanted = static_cast<time_t>(seconds);
  tm local{};
  localtime_r(&wanted, &local);
  known = seconds;
  return text = formatted("{:02}:{:02}:{:02}.000000", local.tm_hour, local.tm_min, local.tm_sec);
}

}  // namespace

uint64_t clock_ns(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

uint64_t monotonic_ns() { return clock_ns(CLOCK_MONOTONIC); }

Clocks Clocks::now() { return {.monotonic_ns = clock_ns(CLOCK_MONOTONIC), .realtime_ns = clock_ns(CLOCK_REALTIME)}; }

uint64_t Clocks::wall_ns(uint64_t event_ns) const { return realtime_ns + (event_ns - monotonic_ns); }

std::string Clocks::wall_text(uint64_t event_ns) const {
  std::string text;
  append_wall_text(text, event_ns);
  return text;
}

size_t Clocks::append_wall_text(std::string &out, uint64_t event_ns) const {
  const uint64_t ns = wall_ns(event_ns);
  const std::string &second = local_second(ns / 1'000'000'000);
  out += second;
  uint64_t microseconds = ns % 1'000'000'000 / 1000;
  for (size_t at = out.size(); out[--at] != '.'; microseconds /= 10)
    out[at] = static_cast<char>('0' + microseconds % 10);
  return second.size();
}

std::optional<int64_t> Clocks::until_time_of_day(std::string_view text) const {
  const std::optional<int64_t> wanted = time_of_day_ns(std::string(text));
  if (!wanted) return std::nullopt;
  const int64_t now =
      time_of_day_ns(wall_text(monotonic_ns).substr(0, 8)).value_or(0) + static_cast<int64_t>(realtime_ns % kSecondNs);
  const int64_t later = *wanted - now;
  if (later > kDayNs / 2) return later - kDayNs;
  return later < -kDayNs / 2 ? later + kDayNs : later;
}

}  // namespace strata
