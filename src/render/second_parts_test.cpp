// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/second_parts.h"

#include <vector>

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {{.key = "samples"}, {.key = "time_ns", .unit = Unit::kWallNs}};
constexpr uint64_t kMs = 1'000'000;
// The monotonic clock says 5 s when it is a whole second.
constexpr Clocks kClocks = {.monotonic_ns = 5000 * kMs, .realtime_ns = 1'700'000'000'000 * kMs};

struct Second {
  uint64_t from_ms;
  std::vector<uint64_t> parts;  // 32, as far as the last that has samples
  friend bool operator==(const Second &, const Second &) = default;
};

std::vector<Second> taken(SecondParts &parts, uint64_t until_ns) {
  std::vector<Second> all;
  parts.take(until_ns, kClocks, [&](const Distribution &one) {
    CHECK(one.to_ns - one.from_ns == 1000 * kMs);
    all.push_back({.from_ms = one.from_ns / kMs, .parts = one.values.slots()});
  });
  return all;
}

Table table_of(std::vector<Row> rows) { return {.columns = kColumns, .rows = std::move(rows), .weight = 0}; }

}  // namespace

TEST_CASE("samples are counted by second and part of it") {
  SecondParts parts;
  CHECK(taken(parts, UINT64_MAX).empty());
  parts.add(table_of({{uint64_t{3}, 5000 * kMs},
                      {uint64_t{2}, 5031 * kMs},
                      {uint64_t{4}, 5062 * kMs + 500'000},
                      {uint64_t{1}, 7000 * kMs},
                      {uint64_t{9}, Value("(others)")}}),
            kClocks);
  CHECK(taken(parts, 5999 * kMs).empty());
  CHECK(taken(parts, 6000 * kMs) == std::vector<Second>{{5000, {5, 0, 4}}});
  parts.add(table_of({{uint64_t{1}, 7968 * kMs + 750'000}, {uint64_t{1}, 5000 * kMs}}),
            kClocks);  // and one that is late
  std::vector<uint64_t> last(32);
  last[0] = last[31] = 1;
  CHECK(taken(parts, UINT64_MAX) == std::vector<Second>{{6000, {1}}, {7000, last}});
}

TEST_CASE("samples without a time make no heat map") {
  SecondParts parts;
  CHECK_THROWS_AS(parts.add(table_of({{uint64_t{1}, Value()}}), kClocks), Error);
  CHECK_THROWS_AS(parts.add({.columns = std::span(kColumns).first(1), .rows = {{uint64_t{1}}}, .weight = 0}, kClocks),
                  Error);
  CHECK_NOTHROW(parts.add(table_of({}), kClocks));
}

}  // namespace strata
