// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_series.h"

#include <cstdlib>
#include <ctime>
#include <vector>

#include "base/test.h"
#include "subsys/script_memory.h"

namespace strata {
namespace {

constexpr uint64_t kTenth = 100'000'000;
constexpr uint64_t kNoon = 12 * 36'000;  // of the first day, in tenths of a second

expr::MapPlan series(expr::Fold fold, uint32_t buckets, bool is_signed = true) {
  expr::Type value = expr::of_kind(expr::Type::Kind::kSeries);
  value.is_signed = is_signed;
  return {.name = "", .value = value, .step = kTenth, .buckets = buckets, .fold = fold};
}

// Of two processors.
std::vector<uint64_t> together(const expr::MapPlan &map, std::vector<uint64_t> a, const std::vector<uint64_t> &b) {
  add_to_bucket(map, std::span<uint64_t, kSeriesWords>(a), b.data());
  return a;
}

void in_utc() {
  setenv("TZ", "UTC", 1);
  tzset();
}

}  // namespace

TEST_CASE("buckets of two processors are one, by what the series makes of its values") {
  using expr::Fold;
  const uint64_t minus = ~UINT64_C(0);
  CHECK(together(series(Fold::kLast, 2), {7, 5, 100}, {7, 6, 99}) == std::vector<uint64_t>{7, 5, 100});
  CHECK(together(series(Fold::kLast, 2), {7, 5, 100}, {7, 6, 101}) == std::vector<uint64_t>{7, 6, 101});
  CHECK(together(series(Fold::kSum, 2), {7, 5, 1}, {7, 6, 2}) == std::vector<uint64_t>{7, 11, 3});
  CHECK(together(series(Fold::kMin, 2), {7, 5, 1}, {7, minus, 1})[1] == minus);
  CHECK(together(series(Fold::kMin, 2, false), {7, 5, 1}, {7, minus, 1})[1] == 5);
  CHECK(together(series(Fold::kMax, 2), {7, 5, 1}, {7, minus, 1})[1] == 5);
  CHECK(together(series(Fold::kMax, 2, false), {7, 5, 1}, {7, minus, 1})[1] == minus);
  // A later interval replaces an earlier one, and a bucket without values is none.
  CHECK(together(series(Fold::kSum, 2), {7, 5, 1}, {9, 6, 2}) == std::vector<uint64_t>{9, 6, 2});
  CHECK(together(series(Fold::kSum, 2), {9, 5, 1}, {7, 6, 2}) == std::vector<uint64_t>{9, 5, 1});
  CHECK(together(series(Fold::kSum, 2), {9, 5, 1}, {0, 6, 2}) == std::vector<uint64_t>{9, 5, 1});
}

TEST_CASE("a series is a graph from its least to its greatest value, with a line for each interval") {
  in_utc();
  // Of four intervals in turn; the first is what none of the later ones has replaced, the third has no value.
  const std::vector<uint64_t> buckets = {kNoon - 4, 77, 1, kNoon + 1, 10, 1, 0, 0, 0, kNoon + 3, ~UINT64_C(9), 1};
  const std::string edge(51, '_'), gap(25, ' ');
  CHECK(series_text(series(expr::Fold::kLast, 4), buckets) == "             -10" + std::string(49, ' ') + "10\n" +  //
                                                                  "hh:mm:ss.ms  |" + edge + "|\n" +                 //
                                                                  "12:00:00.100 |" + gap + "." + gap + "* 10\n" +   //
                                                                  "12:00:00.200 |" + gap + "." + gap + "| -\n" +    //
                                                                  "12:00:00.300 *" + gap + "." + gap + "| -10\n" +  //
                                                                  "             v" + edge + "v\n" +                 //
                                                                  "             -10" + std::string(49, ' ') + "10\n");
  CHECK(text_of_datum(series_data(series(expr::Fold::kLast, 4), buckets)) ==
        "[{ .interval_start = 43200100000000, .value = 10 },{ .interval_start = 43200300000000, .value = -10 }]");
}

TEST_CASE("averages, one value alone, and none") {
  in_utc();
  expr::MapPlan map = series(expr::Fold::kAverage, 1);
  map.step = 2'000'000'000;
  const std::string text = series_text(map, std::vector<uint64_t>{1, 10, 4});
  CHECK(text.starts_with("         2\nhh:mm:ss |___"));
  CHECK(text.find("00:00:02 *") != std::string::npos);
  CHECK(series_text(map, std::vector<uint64_t>{0, 0, 0}).empty());
}

}  // namespace strata
