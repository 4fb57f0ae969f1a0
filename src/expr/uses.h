// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a probe wants to know of the program that it is in: whoever asks for nothing reads none of its types.
#pragma once

#include <set>
#include <string>

#include "expr/ast.h"

namespace strata::expr {

struct Uses {
  bool arguments = false;       // by their names, or all
  std::set<std::string> types;  // as the program writes them: "struct node"
};
Uses uses_of(const Probe &probe);

}  // namespace strata::expr
