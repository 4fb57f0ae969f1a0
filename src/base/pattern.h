// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What people write to choose among paths and names.
#pragma once

#include <string>

namespace strata {

// With *, ? or [] all of the text must match (* matches / too); else the pattern is any part of it.
[[nodiscard]] bool pattern_matches(const std::string &pattern, const std::string &text);

}  // namespace strata
