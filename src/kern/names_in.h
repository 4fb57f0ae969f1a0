// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The names in a directory: the kernel lists its devices that way.
#pragma once

#include <string>
#include <vector>

namespace strata {

std::vector<std::string> names_in(const std::string &directory);  // from A to Z; none if it cannot be read

}  // namespace strata
