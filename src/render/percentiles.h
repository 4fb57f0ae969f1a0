// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The percentiles that every histogram shows, in text and in JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/field.h"
#include "model/histogram.h"

namespace strata {

struct Percentile {
  double p;
  std::string_view name;  // in text
  std::string_view key;   // in JSON
};
inline constexpr Percentile kPercentiles[] = {
    {50, "p50", "p50"}, {90, "p90", "p90"}, {99, "p99", "p99"}, {99.9, "p99.9", "p99_9"}, {100, "max", "max"}};

// How far a percentile of a Histogram may be above the true value: a value stands for the greatest of its slot. The
// maximum of a run is exact; that of a later interval may be one from before it, of the same slot.
inline constexpr double kPercentileError = 1.0 / (1 << Histogram::kPrecisionBits);
inline constexpr std::string_view kPercentileErrorText = "percentiles at most 6.25 % too high";
inline constexpr std::string_view kLaterErrorText =
    "percentiles and max at most 6.25 % too high";  // of later intervals
static_assert(kPercentileError == 0.0625);
// Of an estimated sum, either way.
inline constexpr double kSumError = kPercentileError / 2;
inline constexpr std::string_view kSumErrorText = " (of slots alone: 3.2 % off, and max 6.25 %, at most)";
static_assert(kSumError == 0.03125);

std::string count_text(uint64_t count);  // "1 value", "12 values"
// Their average, to a whole ns or byte; of other numbers not rounded. 0 without a value.
Value average_of(const Field &column, const Histogram &values);
std::string sum_text(const Field &column, const Histogram &values, const Clocks &clocks);  // "avg 4us, sum 52us"
std::string percentiles_text(const Field &column, const Histogram &values, const Clocks &clocks);  // "p50 4us, ..."

}  // namespace strata
