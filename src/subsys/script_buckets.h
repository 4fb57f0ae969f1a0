// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// hist() and lhist() of the probe language: their buckets, and how they are shown.
//
// hist() has bpftrace's powers of 2, its picture, and what has no value between two that have: scripts read it, and
// compare it with what bpftrace prints. Rejected: the suite's histograms (render/text_distribution.cpp) here, too,
// whose edges are easier to read; tools of ours that are programs have these (script_histograms.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/plan.h"
#include "model/printed.h"

namespace strata {

// `counts`: of each bucket. A line for each from the first to the last that has values, empty if none has; or a list of
// {min, max, count}: the bounds of a bucket, which are in it, none at an end that is open.
std::string histogram_text(const expr::MapPlan &map, const std::vector<uint64_t> &counts);
Datum histogram_data(const expr::MapPlan &map, const std::vector<uint64_t> &counts);

}  // namespace strata
