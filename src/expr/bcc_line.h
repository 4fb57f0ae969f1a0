// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A line that a program of the probe language prints: the format of a printf() and its values, which grow together.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"

namespace strata::expr {

struct BccLine {
  std::string format;
  std::vector<std::string> values;

  void add(std::string_view more, std::string value) {
    format += more;
    values.push_back(std::move(value));
  }
  void add_stacks(bool kernel, bool user) {  // each begins with a new line
    if (kernel) add("%s", "kstack");
    if (user) add("%s", "ustack");
  }
  [[nodiscard]] std::string list() const { return comma_list(values); }  // "pid, tid"
  [[nodiscard]] std::string statement() const { return "printf(\"" + format + "\\n\", " + list() + "); "; }
};

}  // namespace strata::expr
