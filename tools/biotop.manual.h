// The manual of strata biotop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kBiotopManual = "TODO\n";

}  // namespace strata
