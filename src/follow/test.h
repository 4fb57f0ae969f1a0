// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// For the tests of trackers: what became of samples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/test.h"
#include "model/sample.h"

namespace strata {

// How many samples have ended, in whichever way.
inline uint64_t sum_of_outcomes(const Account &account) {
  uint64_t n = 0;
  for (const Outcome *outcome : account.outcomes) n += account.of(*outcome);
  return n;
}

// The outcome of the only sample, and its reason where there is one: "dropped: no socket".
inline std::string only_outcome(const std::vector<Sample> &samples) {
  REQUIRE(samples.size() == 1);
  const Sample &sample = samples.front();
  return std::string(sample.outcome->key) + (sample.reason.empty() ? "" : ": " + sample.reason);
}

}  // namespace strata
