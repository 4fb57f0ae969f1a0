// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/ranges.h"

#include <bitset>
#include <iterator>
#include <random>
#include <vector>

#include "base/test.h"

namespace strata {
namespace {

constexpr size_t kBytes = 96;
using Bits = std::bitset<kBytes>;  // the model: one bit a byte

Bits bits_of(uint64_t lo, uint64_t hi) {
  Bits bits;
  for (uint64_t i = lo; i < hi; ++i) bits.set(i);
  return bits;
}

Bits bits_of(const Ranges &ranges) {
  Bits bits;
  for (const auto &[lo, hi] : ranges) bits |= bits_of(lo, hi);
  return bits;
}

bool is_normal(const Ranges &ranges) {
  bool first = true;
  uint64_t last = 0;
  for (const auto &[lo, hi] : ranges) {
    if (lo >= hi || (!first && lo <= last)) return false;
    last = hi;
    first = false;
  }
  return true;
}

struct Modelled {
  Ranges ranges;
  Bits bits;

  [[nodiscard]] bool agrees() const {
    return is_normal(ranges) && bits_of(ranges) == bits && ranges.bytes() == bits.count() &&
           ranges.empty() == bits.none();
  }
};

}  // namespace

TEST_CASE("ranges do what a bitmap does, under random operations") {
  std::mt19937 random(1);
  const auto below = [&](uint64_t n) { return random() % n; };
  std::vector<Modelled> sets(3);
  for (int i = 0; i < 20'000; ++i) {
    Modelled &set = sets[below(3)];
    const Modelled &other = sets[below(3)];
    const uint64_t lo = below(kBytes), hi = lo + below(kBytes - lo + 1);
    switch (below(6)) {
      case 0:
        set.ranges.add(lo, hi);
        set.bits |= bits_of(lo, hi);
        break;
      case 1:
        set.ranges.remove(lo, hi);
        set.bits &= ~bits_of(lo, hi);
        break;
      case 2:
        if (&set != &other) set.ranges.add(other.ranges);
        set.bits |= other.bits;
        break;
      case 3:
        set.ranges.remove(Ranges(other.ranges));
        set.bits &= ~Bits(other.bits);
        break;
      case 4:
        set = {.ranges = set.ranges.within(lo, hi), .bits = set.bits & bits_of(lo, hi)};
        break;
      default:
        set = {.ranges = set.ranges.within(other.ranges), .bits = set.bits & other.bits};
    }
    INFO("operation " << i);
    REQUIRE(set.agrees());
    REQUIRE(set.ranges.overlaps(lo, hi) == (set.bits & bits_of(lo, hi)).any());
  }
}

TEST_CASE("ranges that touch become one, empty ones are none") {
  Ranges ranges(4096, 8192);
  ranges.add(0, 4096);
  ranges.add(10, 10);
  ranges.add(20, 10);
  REQUIRE(std::distance(ranges.begin(), ranges.end()) == 1);
  CHECK(ranges.begin()->first == 0);
  CHECK(ranges.begin()->second == 8192);
  CHECK_FALSE(ranges.overlaps(8192, 8193));
  CHECK(ranges.shifted(4096).within(4096, 12288).bytes() == 8192);
  CHECK(ranges.shifted(4096).shifted(-4096).begin()->first == 0);
  CHECK_FALSE(ranges.overlaps(100, 100));
}

TEST_CASE("ranges reach to the last byte that a position can name") {
  Ranges ranges(UINT64_MAX - 1, UINT64_MAX);
  ranges.add(0, 1);
  CHECK(ranges.within(1, UINT64_MAX).bytes() == 1);
  ranges.remove(0, UINT64_MAX);
  CHECK(ranges.empty());
}

}  // namespace strata
