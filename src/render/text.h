// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Text for people: what samples, summaries and histograms look like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/distribution.h"
#include "model/judgement.h"
#include "model/sample.h"

namespace strata {

// What colours a terminal; everything is empty elsewhere.
struct Paint {
  std::string_view bold, dim, red, plain;

  static Paint of(bool terminal);
};

// In lines of so many columns.
std::string sample_text(const Sample &sample, const Clocks &clocks, const Paint &paint, size_t columns);
std::string summary_text(const Summary &summary, const Paint &paint, size_t columns);
std::string account_text(const Account &account);  // "5 sampled = 5 completed", and the end of the line
std::string rest_text(const Rest &rest);           // how many are not shown, and why
std::string judgement_text(const Judgement &judgement, const Clocks &clocks, const Paint &paint, size_t columns);
std::string left_out_text(uint64_t more);  // what --rows cut, a line
std::string distribution_text(const Distribution &distribution, const Clocks &clocks, size_t columns);

}  // namespace strata
