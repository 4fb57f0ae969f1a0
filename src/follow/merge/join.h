// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Samples of follow send of one host and of follow recv of another, as one: they meet by the connection's ends and
// TCP's sequence numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "follow/collector.h"
#include "follow/merge/clock_offset.h"
#include "model/sample.h"

namespace strata {

// What one host has recorded, by its own clocks.
struct HostSamples {
  std::string host;  // its name
  Clocks clocks;
  std::vector<Sample> samples;
};

// A send of which the other host followed no segment, or none of its time.
inline constexpr Outcome kAlone{.key = "alone", .name = "not followed on the other host", .is_good = true};
inline constexpr Outcome kOtherTime{.key = "other_time", .name = "of another time"};
extern const Procedure kMergedProcedure;
extern const std::span<const Field *const> kMergedSampleColumns, kMergedHopColumns;  // beside those of send and recv

struct Joining {
  ClockOffset offset;      // of the receiver's clock
  size_t connections = 0;  // that both have
  size_t segments = 0;     // that were joined: without one the offset is not known either
  size_t others = 0;       // that have bytes of a send, and are not of its time
};

// Times of the result are by the sender's clock. Those of which some segment was followed are finished in `collector`.
// Before its end if a signal came (base/ending.h).
Joining join_samples(const HostSamples &sender, const HostSamples &receiver, Collector &collector);

}  // namespace strata
