// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/regex.h"

#include "base/error.h"
#include "base/text.h"

namespace strata {

Regex::Regex(const std::string &regex) {
  const int err = regcomp(&regex_, regex.c_str(), REG_EXTENDED | REG_NOSUB);
  if (err == 0) return;
  char why[128] = {};
  regerror(err, &regex_, why, sizeof(why));
  throw usage_error("not a regular expression: '" + printable(regex) + "': " + why);
}

bool Regex::matches(const std::string &text) const { return regexec(&regex_, text.c_str(), 0, nullptr, 0) == 0; }

}  // namespace strata
