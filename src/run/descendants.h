// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whose descendants processes are, as /proc says.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace strata {

// These processes and those that descend from them. Whose parent has ended, is the child of another one, and none of
// them.
std::vector<uint32_t> with_descendants(std::span<const uint32_t> roots);

}  // namespace strata
