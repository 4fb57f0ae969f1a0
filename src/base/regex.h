// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// An extended regular expression of POSIX.
#pragma once

#include <regex.h>

#include <string>

namespace strata {

class Regex {
 public:
  explicit Regex(const std::string &regex);  // throws a usage Error
  Regex(const Regex &) = delete;
  Regex &operator=(const Regex &) = delete;
  ~Regex() { regfree(&regex_); }

  [[nodiscard]] bool matches(const std::string &text) const;  // somewhere in it; up to its first zero byte

 private:
  regex_t regex_ = {};
};

}  // namespace strata
