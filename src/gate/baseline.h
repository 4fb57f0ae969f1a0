// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program did when somebody was content with it: a file of JSON for the repository, with a line for each gate's
// number, so that a change of it is seen in a review.
//
//   {"strata_baseline":1,"strata":"0.1.0","gates":[
//   {"gate":"opens","counts":[118,118]},
//   {"gate":"p99(fsync)","values":600,"slots":[[311296,17],[327680,583]],"percentiles":[344063,344063]}]}
//
// A slot is its least value and how many there were, as in -o json.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/gate.h"
#include "gate/meter.h"
#include "model/histogram.h"

namespace strata {

class Baseline {
 public:
  struct Entry {
    std::vector<uint64_t> counts;            // of each run
    Histogram values;                        // of all of them; of a distribution
    std::vector<uint64_t> percentiles = {};  // of each run that has values enough; files from before 2026-12 have none
  };

  Baseline() = default;
  explicit Baseline(const std::string &file);  // throws a usage Error: cannot be read, not a baseline

  void set(const Gate &gate, std::span<const Measurement> runs);  // if it is compared
  void write(const std::string &file) const;  // in place of an old one, which stays if that fails. Throws Error
  [[nodiscard]] const Entry *find(const Gate &gate) const;

 private:
  std::map<std::string, Entry> entries_;  // by what is measured: "opens", "p99(fsync)"
};

// A count is worse if it is greater than that of any run of the baseline. Of a distribution the p-th percentile is
// worse if both hold: it is greater by a quarter than a limit, which is the percentile of all runs of the baseline
// together, or that of a slow one of them where that is greater; and so many more values than in the baseline are above
// the limit that chance does that once in a thousand times (Fisher's exact test, one-sided, of above and not above in
// both). An average is looked at through the median. A maximum is one value, of which no test says anything.
//
// The test takes values as independent. Those of a run on a busy host are not: without the slow run, 9 of 100 unchanged
// ones were worse there. Rejected: the slowest run, which an accident makes.
struct Change {
  std::optional<uint64_t> before;  // the baseline's number, of counts the greatest, or the limit; none: it has none
  bool worse = false;
};
Change change_of(const Gate &gate, const Baseline::Entry &before, std::span<const Measurement> runs);

// Whether the p-th percentile is worse in that sense.
bool is_above(const Histogram &now, const Histogram &before, double percentile);

// How likely it is that of so many new and old values, of which some are above a limit, so many new ones or more are
// among these by chance alone: the upper tail of the hypergeometric distribution.
double fisher_tail(uint64_t new_above, uint64_t new_all, uint64_t old_above, uint64_t old_all);

}  // namespace strata
