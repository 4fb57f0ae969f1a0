// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What was not seen, counted by reason. A run always reports its losses.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

struct Loss {
  std::string reason;  // e.g. "ring buffer full"
  uint64_t count = 0;
  std::string advice = {};  // what to do in the next run; for people alone, no recording has it
};

inline std::string text_of(const Loss &loss) {
  return loss.advice.empty() ? loss.reason : loss.reason + "; " + loss.advice;
}

}  // namespace strata
