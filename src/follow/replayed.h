// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A followed run from its records: the same for a live run and for its recording.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "follow/chain.h"
#include "model/loss.h"
#include "model/sample.h"
#include "rec/recording.h"

namespace strata {

Summary summary_of(const Collector &collector, std::string attach_mode);
void add_missed(const ChainTracker &tracker, std::vector<Loss> &losses);

// Runs a recording through a chain's tracker; returns what the run would have returned. `whole` is false if it was cut
// short.
struct Replayed {
  Summary summary;
  std::vector<Loss> losses;
  uint64_t submits;
  bool whole;
};
// Records that are not the chain's, and who takes them: it is asked of each, and true if one was such.
struct RecordsBeside {
  std::span<const RecordType *const> types = {};
  std::function<bool(const Record &record)> take = {};
};
Replayed replay_chain(const Chain &chain, Recording &recording, const Collector::Done &done,
                      const Thresholds &thresholds = {}, const RecordsBeside &beside = {});

}  // namespace strata
