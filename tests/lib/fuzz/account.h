// The account of a followed run adds up, whatever the records were.
#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "fuzz.h"
#include "model/sample.h"

namespace strata {

inline uint64_t sum(const std::vector<std::pair<std::string, uint64_t>> &counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0},
                         [](uint64_t n, const auto &count) { return n + count.second; });
}

// `shown` samples were given to the sinks; what is not among them was never reported, and is lost.
inline void require_balance(const Account &a, uint64_t shown) {
  const uint64_t known = a.completed + a.pending + a.truncated + sum(a.failed);
  require(a.sampled == known + sum(a.lost));
  require(known <= shown && shown <= a.sampled);
}

}  // namespace strata
