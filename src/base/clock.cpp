// The two clocks and their text.
#include "base/clock.h"

#include <fmt/format.h>

#include <ctime>

namespace strata {
namespace {

uint64_t read_clock(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

uint64_t monotonic_ns() { return read_clock(CLOCK_MONOTONIC); }

Clocks Clocks::now() {
  return {.monotonic_ns = read_clock(CLOCK_MONOTONIC), .realtime_ns = read_clock(CLOCK_REALTIME)};
}

uint64_t Clocks::wall_ns(uint64_t event_ns) const { return realtime_ns + (event_ns - monotonic_ns); }

std::string Clocks::wall_text(uint64_t event_ns) const {
  const uint64_t ns = wall_ns(event_ns);
  const auto seconds = static_cast<time_t>(ns / 1'000'000'000);
  tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:02}:{:02}:{:02}.{:06}", local.tm_hour, local.tm_min, local.tm_sec, ns % 1'000'000'000 / 1000);
}

}  // namespace strata
