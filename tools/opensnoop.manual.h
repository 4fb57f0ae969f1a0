// The manual of strata opensnoop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kOpensnoopManual = "TODO\n";

}  // namespace strata
