// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/time_range.h"

#include <string>

#include "base/error.h"
#include "base/test.h"
#include "model/columns.h"

namespace strata {
namespace {

struct Happened {
  uint64_t ts_ns;
};
constexpr Field kHappened[] = {time_column({STORED(Happened, ts_ns), .help = "when"})};
struct Counted {
  uint64_t from_ns, to_ns;
};
constexpr Field kCounted[] = {{STORED(Counted, from_ns)}, {STORED(Counted, to_ns)}};
constexpr RecordType kEvent = record_type<Happened>("event", kHappened);
constexpr RecordType kEntry = record_type<Counted>("entry", kCounted);

constexpr uint64_t kSecond = 1'000'000'000;

Record event_at(uint64_t ns) { return *from_line(std::vector{&kEvent}, "event ts_ns=" + std::to_string(ns)); }

}  // namespace

TEST_CASE("a part of a recording, by times of day") {
  setenv("TZ", "UTC", 1);
  const Clocks clocks = {.monotonic_ns = 100'000 * kSecond, .realtime_ns = 1'700'000'000 * kSecond};  // 22:13:20
  const uint64_t begin = clocks.monotonic_ns;
  const TimeRange part("22:13:21", "22:13:22.5", clocks);
  CHECK_FALSE(part.has(event_at(begin + kSecond - 1)));
  CHECK(part.has(event_at(begin + kSecond)));
  CHECK(part.has(event_at(begin + 5 * kSecond / 2 - 1)));
  CHECK_FALSE(part.has(event_at(begin + 5 * kSecond / 2)));
  const auto entry = [&](uint64_t from_ns) {
    return *from_line(std::vector{&kEntry},
                      "entry from_ns=" + std::to_string(from_ns) + " to_ns=" + std::to_string(from_ns + 10 * kSecond));
  };
  CHECK(part.has(entry(begin + kSecond)));
  CHECK_FALSE(part.has(entry(begin)));

  const Clocks odd = {.monotonic_ns = begin, .realtime_ns = clocks.realtime_ns + 999};
  CHECK(TimeRange("22:13:21.000000999", "", odd).has(event_at(begin + kSecond)));
  CHECK_FALSE(TimeRange("22:13:21.000001", "", odd).has(event_at(begin + kSecond)));

  CHECK(TimeRange("", "", clocks).has(event_at(1)));
  CHECK(TimeRange("22:13:00", "", clocks).has(event_at(begin)));
  CHECK_FALSE(TimeRange("", "22:13:20", clocks).has(event_at(begin)));
  CHECK(TimeRange("00:00:00", "", clocks).has(event_at(begin + 7200 * kSecond)));  // the next day
  CHECK_FALSE(TimeRange("00:00:00", "", clocks).has(event_at(begin + 3600 * kSecond)));
  CHECK(TimeRange("12:00:00", "", clocks).has(event_at(begin)));
}

TEST_CASE("what is no time of day is refused") {
  for (const char *text :
       {"5", "5s", "24:00:00", "12:60:00", "12:00:60", "12:00", "-1:00:00", "12:00:00x", "1e1:00:00"})
    CHECK_THROWS_AS(TimeRange(text, "", {}), Error);
  CHECK_THROWS_AS(TimeRange("12:00:01", "12:00:01", {}), Error);
}

}  // namespace strata
