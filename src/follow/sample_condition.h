// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which samples: --when over the columns of a sample, how it ended, what it took, and the time it spent in each layer.
//
//   device_ns > 10ms && file ~ "^/var/lib/" && outcome == completed
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/condition.h"
#include "model/sample.h"

namespace strata {

class SampleCondition {
 public:
  using Other = std::function<Value(const Sample &sample, std::string_view key)>;  // of a column that it lacks

  // `layers` of the procedure: "page cache" is page_cache_ns. Throws a usage Error.
  SampleCondition(std::string_view text, Schema columns, std::span<const std::string_view> layers, Other other = {});
  SampleCondition(const SampleCondition &) = delete;
  SampleCondition &operator=(const SampleCondition &) = delete;

  [[nodiscard]] bool holds(const Sample &sample) const;

 private:
  [[nodiscard]] Value value_of(const Sample &sample, size_t column) const;

  Other other_;
  std::vector<std::string_view> layers_;  // without those that the procedure has a column for
  std::vector<std::string> layer_keys_;   // to which columns_ refers
  std::vector<Field> columns_;            // what every sample has, the procedure's own, the layers
  Condition condition_;
};

}  // namespace strata
