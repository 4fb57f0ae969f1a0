// The format of printf(): what stands in it, and what each % wants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::expr {

struct FormatPart {
  std::string literal;  // before the %
  std::string flags;    // with width and precision, as C has them: "-16", "08", ".3"
  std::string kind;     // "d", "u", "x", "s", "p", "c", "r", "rx", "rh"; empty: only the literal is left
};

// A fault is an empty list, with what is wrong in `fault`. Lengths (l, ll, h, z, j) mean nothing here.
std::vector<FormatPart> parts_of_format(std::string_view format, std::string &fault);

}  // namespace strata::expr
