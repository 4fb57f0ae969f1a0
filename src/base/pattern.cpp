// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/pattern.h"

#include <fnmatch.h>

namespace strata {

bool pattern_matches(const std::string &pattern, const std::string &text) {
  if (pattern.find_first_of("*?[") == std::string::npos) return text.find(pattern) != std::string::npos;
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace strata
