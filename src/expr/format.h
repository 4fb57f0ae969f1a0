// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The format of printf(): what stands in it, and what each % wants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata::expr {

struct FormatPart {
  std::string literal;  // before the %
  std::string flags;    // with width and precision, as C has them: "-16", "08", ".3"
  std::string kind;     // "d", "u", "x", "s", "p", "c", "r", "rx", "rh"; empty: only the literal is left
  uint32_t bytes = 8;   // of a number that count: 1 of %hhd, 2 of %hd; l, ll, z, j and t mean nothing here
};

// A fault is an empty list, with what is wrong in `fault`.
std::vector<FormatPart> parts_of_format(std::string_view format, std::string &fault);
// The format that has this text alone.
std::string as_format(std::string_view text);

}  // namespace strata::expr
