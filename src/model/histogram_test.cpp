// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/histogram.h"

#include "base/test.h"

namespace strata {

TEST_CASE("slots cover every value once, in order") {
  for (uint32_t slot = 0; slot < 975; slot++) {
    CHECK(Histogram::slot_high(slot) + 1 == Histogram::slot_low(slot + 1));
    CHECK(Histogram::slot_of(Histogram::slot_low(slot)) == slot);
    CHECK(Histogram::slot_of(Histogram::slot_high(slot)) == slot);
  }
  CHECK(Histogram::slot_of(UINT64_MAX) == 975);
  CHECK(Histogram::slot_high(975) == UINT64_MAX);
}

TEST_CASE("a percentile is never below the true value and at most 1/16 above") {
  Histogram histogram;
  for (uint64_t value = 1; value <= 10'000; value++) histogram.add(value * 1000);
  for (const double p : {50.0, 90.0, 99.0}) {
    const auto exact = static_cast<uint64_t>(p * 100 * 1000);
    CHECK(histogram.percentile(p) >= exact);
    CHECK(histogram.percentile(p) <= exact + exact / 16);
  }
  CHECK(histogram.percentile(100) == 10'000'000);
  CHECK(histogram.count() == 10'000);
}

TEST_CASE("an empty histogram has no percentile, and merging adds") {
  Histogram empty;
  CHECK(empty.percentile(50) == 0);
  Histogram a;
  Histogram b;
  a.add(3, 2);
  b.add(5'000);
  a.merge(b);
  CHECK(a.count() == 3);
  CHECK(a.sum() == 5'006);
  CHECK(a.max() == 5'000);
  CHECK(a.percentile(50) == 3);
}

TEST_CASE("the rank of a percentile is exact") {
  Histogram histogram;
  histogram.add(1, 999);
  histogram.add(1000);
  CHECK(histogram.percentile(99.9) == 1);
  CHECK(histogram.percentile(99.91) == 1000);
}

TEST_CASE("of slots alone the sum is 3.125 % away at most, and below 32 exact") {
  for (uint64_t value = 1; value < 1'000'000'000; value = value * 9 / 8 + 1) {
    Histogram one;
    one.add_slot(Histogram::slot_of(value), 7);
    const double sum = 7 * static_cast<double>(value), off = static_cast<double>(one.sum()) - sum;
    CHECK((off <= sum / 32 && off >= -sum / 32));
    if (value < 32) CHECK(off == 0);
    CHECK(one.max() == Histogram::slot_high(Histogram::slot_of(value)));
    CHECK(one.sum_is_estimate());
  }
}

TEST_CASE("of slots with their values sum and maximum are exact, and stay so where others are added") {
  Histogram all;
  all.add_values(Histogram::slot_of(1000), 3, 2990, 1001);
  all.add_values(Histogram::slot_of(70'000), 2, 139'000, 70'001);
  CHECK(all.count() == 5);
  CHECK(all.sum() == 141'990);
  CHECK(all.max() == 70'001);
  CHECK(all.percentile(99) == 70'001);
  CHECK(!all.sum_is_estimate());
  Histogram merged;
  merged.add(5, 2);
  merged.merge(all);
  CHECK(merged.sum() == 142'000);
  CHECK(!merged.sum_is_estimate());
  Histogram older;
  older.add_slot(Histogram::slot_of(1000), 1);
  merged.merge(older);
  CHECK(merged.sum_is_estimate());
}

TEST_CASE("a maximum that its slot cannot have, as a damaged recording says, is the nearest that it can") {
  Histogram low, high;
  low.add_values(Histogram::slot_of(1000), 1, 1000, 3);
  high.add_values(Histogram::slot_of(1000), 1, 1000, UINT64_MAX);
  CHECK(low.max() == Histogram::slot_low(Histogram::slot_of(1000)));
  CHECK(high.max() == Histogram::slot_high(Histogram::slot_of(1000)));
}

TEST_CASE("a sum that would be greater than 64 bits stays the greatest number") {
  Histogram sum;
  sum.add(UINT64_MAX, 2);
  CHECK(sum.sum() == UINT64_MAX);
  sum.merge(sum);
  CHECK(sum.sum() == UINT64_MAX);
}

}  // namespace strata
