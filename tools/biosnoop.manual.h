// The manual of strata biosnoop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kBiosnoopManual = "TODO\n";

}  // namespace strata
