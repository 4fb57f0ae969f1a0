// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Structs, unions and enums of the running kernel, as C declares them.
#pragma once

#include <string>

namespace strata {

// A line for each whose name the pattern matches ("struct task_*"), with `members` its definition; "" if there is none.
// Throws Error where the kernel has no BTF.
std::string kernel_definitions(const std::string &pattern, bool members);

}  // namespace strata
