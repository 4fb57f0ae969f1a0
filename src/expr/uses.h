// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a probe has in it: whether it wants to know of the program that it is in, of which else nothing is read, and
// which statements.
#pragma once

#include <set>
#include <string>

#include "expr/ast.h"

namespace strata::expr {

struct Uses {
  bool arguments = false;       // by their names, or all
  std::set<std::string> types;  // as the program writes them: "struct node"
  bool whiles = false, returns = false;
};
Uses uses_of(const Probe &probe);
Uses uses_of(const Block &block);

}  // namespace strata::expr
