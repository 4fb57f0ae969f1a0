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

// How far a percentile of a Histogram may be above the true value, and so may whatever was counted by slots: a value
// stands for the greatest of its slot.
inline constexpr double kPercentileError = 1.0 / (1 << Histogram::kPrecisionBits);
inline constexpr std::string_view kErrorText = "values at most 6.25 % too high";
static_assert(kPercentileError == 0.0625);

std::string count_text(uint64_t count);  // "1 value", "12 values"
std::string percentiles_text(const Field &column, const Histogram &values, const Clocks &clocks);  // "p50 4us, ..."

}  // namespace strata
