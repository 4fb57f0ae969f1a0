// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/heatmap.h"

#include "base/test.h"

namespace strata {
namespace {

constexpr Field kLat = {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs};
constexpr Field kDisk = {.key = "disk", .title = "DISK"};

Distribution at(uint64_t second, uint64_t value, uint64_t count, const char *disk = "sda") {
  Distribution one = {
      .column = &kLat, .keys = {{&kDisk, std::string(disk)}}, .from_ns = second, .to_ns = second + 1, .values = {}};
  one.values.add(value, count);
  return one;
}

uint64_t sum(const Heatmap::Counts &counts) {
  uint64_t sum = 0;
  for (const auto &[slot, count] : counts) sum += count;
  return sum;
}

}  // namespace

TEST_CASE("an axis has exact bounds and leaves no value out") {
  for (const uint32_t most : {61U, 64U, 100U}) {
    for (const auto &[low, high] : {std::pair(0ULL, 0ULL),
                                    {1ULL, 3ULL},
                                    {4096ULL, 4096ULL},
                                    {1000ULL, 1'000'000'000ULL},
                                    {0ULL, ~0ULL},
                                    {~0ULL, ~0ULL}}) {
      const uint32_t first = Histogram::slot_of(low);
      const uint32_t last = Histogram::slot_of(high);
      for (const ValueAxis &axis : {ValueAxis::around(first, last, most), ValueAxis::with_room(first, last, 48)}) {
        CHECK(axis.cells <= most);
        REQUIRE(axis.covers(first));
        REQUIRE(axis.covers(last));
        CHECK(axis.low(axis.cell_of(first)) <= low);
        CHECK(axis.high(axis.cell_of(last)) >= high);
        for (uint32_t cell = 1; cell < axis.cells && axis.high(cell - 1) != ~0ULL; cell++) {
          CHECK(axis.low(cell) == axis.high(cell - 1) + 1);
        }
      }
    }
  }
}

TEST_CASE("an axis with room has most of it above") {
  const ValueAxis axis = ValueAxis::with_room(Histogram::slot_of(4096), Histogram::slot_of(4096), 48);
  CHECK(axis.step == 1);
  CHECK(axis.cells == 48);
  CHECK(axis.low(15) == 4096);
}

TEST_CASE("shades are chosen by the greatest count, and every count has one") {
  CHECK(Shades::for_most(1).least[1] == 2);
  CHECK(Shades::for_most(512).least.back() == 256);
  CHECK(Shades::for_most(1000).least.back() == 10'000);
  CHECK(Shades::for_most(1'000'000).least.back() == 100'000'000);
  CHECK(Shades::for_most(~0ULL).least.back() == 100'000'000);
  const Shades &shades = Shades::for_most(1000);
  CHECK(shades.shade_of(1) == 0);
  CHECK(shades.shade_of(2) == 0);
  CHECK(shades.shade_of(3) == 1);
  CHECK(shades.shade_of(9999) == 7);
  CHECK(shades.shade_of(~0ULL) == 8);
}

TEST_CASE("a map keeps every value when columns become coarser") {
  Heatmap map(4);
  uint64_t added = 0;
  for (uint64_t second = 0; second < 23; second++) {
    if (second != 5) CHECK(map.add(at(second, 100 + second, second + 1)) == 0);
    if (second != 5) added += second + 1;
    map.interval(second, second + 1);
  }
  REQUIRE(map.layers().size() == 1);
  CHECK(map.layers()[0].total.count() == added);
  REQUIRE(map.columns().size() == 3);  // of eight seconds each
  CHECK(map.columns()[0].to_ns == 8);
  CHECK(map.columns()[1].from_ns == 8);
  CHECK(map.columns()[2].to_ns == 23);
  CHECK(sum(map.layers()[0].columns[0]) == 36 - 6);
  CHECK(sum(map.layers()[0].columns[1]) == 100);
  CHECK(sum(map.layers()[0].columns[2]) == added - 130);
}

TEST_CASE("keys tell maps apart, and a later one has its place in time") {
  Heatmap map(4);
  map.add(at(0, 1, 1));
  map.interval(0, 1);
  CHECK(map.add(at(1, 1, 2, "sdb")) == 1);
  CHECK(map.add(at(1, 1, 4)) == 0);
  map.interval(1, 2);
  REQUIRE(map.layers().size() == 2);
  CHECK(sum(map.layers()[1].columns[0]) == 0);
  CHECK(sum(map.layers()[1].columns[1]) == 2);
  CHECK(map.layers()[0].total.count() == 5);
}

TEST_CASE("intervals without a value are columns too") {
  Heatmap map(4);
  map.interval(10, 20);
  map.interval(20, 30);
  CHECK(map.columns().size() == 2);
  CHECK(map.layers().empty());
}

}  // namespace strata
