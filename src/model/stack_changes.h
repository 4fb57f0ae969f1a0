// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What changed from run 0 of a tree to run 1: of each function, or of each stack.
#pragma once

#include <string>
#include <vector>

#include "model/stack_tree.h"

namespace strata {

struct StackChange {
  std::string name;                // a function; of a stack its functions, a line each, the innermost first
  StackTree::Weights self, total;  // of a stack they are the same
  // As parts of all of the run, or, raw, both of all of run 0.
  double before = 0, after = 0, change = 0, total_change = 0;
};

// Those that changed, the largest change first. A function that calls itself counts once; those above the level `first`
// are no functions, but names of threads.
std::vector<StackChange> function_changes(const StackTree &tree, bool raw, uint32_t first);
std::vector<StackChange> stack_changes(const StackTree &tree, bool raw);

}  // namespace strata
