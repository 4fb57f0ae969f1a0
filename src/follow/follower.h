// A followed run from its records: the same for a live run and for its recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "follow/chain.h"
#include "follow/way.h"
#include "model/loss.h"
#include "model/sample.h"
#include "rec/recording.h"

namespace strata {

Summary summary_of(const Chain &chain, std::string way);

// Runs a recording through a chain; returns what the run would have returned. `whole` is false if it was cut short.
struct Replayed {
  Summary summary;
  std::vector<Loss> losses;
  bool whole;
};
Replayed replay_follow(Recording &recording, Chain::Done done);

}  // namespace strata
