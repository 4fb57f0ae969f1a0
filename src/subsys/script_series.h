// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// tseries() of the probe language: what the processors' buckets say together, and how that is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "expr/plan.h"
#include "model/printed.h"

namespace strata {

// Words of a bucket, as expr/plan.h has it.
inline constexpr size_t kSeriesWords = expr::kSeriesBytes / 8;

// One more of the same place and perhaps of another interval: the later one stays, the same are one.
void add_to_bucket(const expr::MapPlan &map, std::span<uint64_t, kSeriesWords> held, const uint64_t *more);

// `buckets`: of each its words. From the first interval that has values to the last one: lines with a graph, empty if
// there are none, or a list of {interval_start, value}, the time in nanoseconds since 1970.
std::string series_text(const expr::MapPlan &map, std::span<const uint64_t> buckets);
Datum series_data(const expr::MapPlan &map, std::span<const uint64_t> buckets);

}  // namespace strata
