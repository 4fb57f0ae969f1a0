// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What became of samples, for the tests of trackers and what fuzzes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "follow/send.h"
#include "model/sample.h"

namespace strata {

// How many samples have ended, in whichever way.
inline uint64_t sum_of_outcomes(const Account &account) {
  uint64_t n = 0;
  for (const Outcome *outcome : account.outcomes) n += account.of(*outcome);
  return n;
}

// The outcome of the only sample, and its reason where there is one: "dropped: no socket". "2 samples" if it is not
// alone.
inline std::string only_outcome(const std::vector<Sample> &samples) {
  if (samples.size() != 1) return std::to_string(samples.size()) + " samples";
  const Sample &sample = samples.front();
  return std::string(sample.outcome->key) + (sample.reason.empty() ? "" : ": " + sample.reason);
}

// By a reader that was woken and had a CPU so many microseconds before; 0: it was on one.
inline void set_reader(recv_hop &read, uint32_t woken_us, uint32_t ran_us, uint32_t flags) {
  if (ran_us != 0) read.run_ns = read.hop.ts_ns - ran_us * 1000;
  if (woken_us != 0) read.wake_ns = read.hop.ts_ns - woken_us * 1000;
  read.hop.flags = flags;
}

}  // namespace strata
