// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// fmt::format, compiled once. Debian has fmt's library only to be linked dynamically; the whole of it in each file that
// formats would cost 3 s of compilation and 90 KB of object each.
#pragma once

#include <fmt/core.h>

#include <string>

namespace strata {

std::string format_values(fmt::string_view format, fmt::format_args values);

template <typename... Values>
std::string formatted(fmt::format_string<Values...> format, Values &&...values) {
  return format_values(format, fmt::make_format_args(values...));
}

}  // namespace strata
