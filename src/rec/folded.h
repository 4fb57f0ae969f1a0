// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Folded stacks, as strata and the collapsers of other profilers write them: "outermost;...;innermost 12", a line each.
#pragma once

#include <string>

#include "model/stack_tree.h"

namespace strata {

// Adds them to a run of the tree. Throws Error with the number of the line: what is not such a line, and what is beyond
// the bounds, for anybody may have written the file.
void read_folded(const std::string &file, StackTree &tree, size_t run);

}  // namespace strata
