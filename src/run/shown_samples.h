// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which samples are shown: those of which --when holds, up to --limit.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/sample.h"
#include "run/sample_columns.h"

namespace strata {

class Session;

// What --when says, of samples of a procedure with these layers.
void add_when(Thresholds &thresholds, const Session &session, std::span<const std::string_view> layers,
              const SampleColumns &columns);

class ShownSamples {
 public:
  // `limit` of them, 0 for all.
  ShownSamples(Session &session, const SampleColumns &columns, uint64_t limit)
      : session_(session), columns_(columns), limit_(limit) {}

  void show(const Sample &sample) {
    if (is_full()) return;
    columns_.put(sample, session_);
    ++shown_;
  }
  [[nodiscard]] bool is_full() const { return limit_ != 0 && shown_ == limit_; }

 private:
  Session &session_;
  const SampleColumns &columns_;
  const uint64_t limit_;
  uint64_t shown_ = 0;
};

}  // namespace strata
