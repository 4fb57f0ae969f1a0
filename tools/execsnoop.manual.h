// The manual of strata execsnoop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kExecsnoopManual = "TODO\n";

}  // namespace strata
