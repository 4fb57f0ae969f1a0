// The manual of strata iosize.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kIosizeManual = "TODO\n";

}  // namespace strata
