// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A text behind a program, in its own file: so a program can carry what it is to do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata {

// Of this program; nullopt: it has none.
std::optional<std::string> appended_text();

// A copy of this program with this text instead of its own, which all may run. Throws Error; then there is no such
// file, or the one that there was.
void write_with_text(const std::string &path, std::string_view text);

}  // namespace strata
