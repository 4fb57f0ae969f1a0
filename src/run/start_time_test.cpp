// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/start_time.h"

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr Clocks kNow = {.monotonic_ns = 5 * kSecondNs,
                         .realtime_ns = 1'795'701'780 * kSecondNs};  // 2026-11-26 14:03:00 UTC

std::string refused(std::string_view text) {
  try {
    start_time_ns(text, kNow);
  } catch (const Error &error) {
    return error.what();
  }
  return "taken";
}

}  // namespace

TEST_CASE("a run begins at a date, or so many seconds since 1970") {
  CHECK(start_time_ns("@1795701787", kNow) == 1'795'701'787 * kSecondNs);
  CHECK(start_time_ns("@1795701787.25", kNow) == 1'795'701'787'250'000'000);
  CHECK(start_time_ns("2026-11-26T14:03:07Z", kNow) == 1'795'701'787 * kSecondNs);
  CHECK(start_time_ns("2026-11-26T14:03:07.000000001Z", kNow) == 1'795'701'787 * kSecondNs + 1);
  CHECK(start_time_ns("2027-01-01T00:00:00Z", kNow) == 1'798'761'600 * kSecondNs);
}

TEST_CASE("a time of day is the next one, within 12 hours") {
  const std::string now = kNow.wall_text(kNow.monotonic_ns).substr(0, 8);  // of this machine's zone
  CHECK(start_time_ns(now + ".5", kNow) == kNow.realtime_ns + kSecondNs / 2);
}

TEST_CASE("a time that is over, or that is none") {
  CHECK(refused("@1795701779") == "--start-at @1795701779 was 1.00s ago");
  CHECK(refused("2026-11-26T14:02:00Z") == "--start-at 2026-11-26T14:02:00Z was 60.0s ago");
  for (const char *text : {"", "now", "@", "@x", "@-1", "@1795701787.", "@1795701787.1234567890", "@1.2.3",
                           "@99999999999999", "25:00:00", "14:03", "2026-11-26T14:03:07", "2026-11-26T14:03:07+01:00",
                           "2026-02-30T00:00:00Z", "2026-11-26T14:03:07.xZ", "2026-11-26", "T", "TZ"})
    CHECK(refused(text).starts_with("--start-at takes a time of day"));
}

}  // namespace strata
