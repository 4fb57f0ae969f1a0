// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Types of a file that anybody may have written.
#pragma once

#include "btf/file.h"

namespace strata {

// May they be read as the kernel's are? Then no struct is within itself or nests without end, numbers have sizes that
// there are, bit fields are within them, and names are fit for a terminal.
[[nodiscard]] bool is_sound(const BtfFile &types);

}  // namespace strata
