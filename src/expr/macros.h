// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Macros and functions of the program: each use becomes what the body says, before anything is checked.
#pragma once

#include "expr/ast.h"
#include "expr/source.h"

namespace strata::expr {

// What a body has of its own ($x) is another variable at each use, and mistakes are shown at the use. Throws Error.
void expand_macros(const Source &source, Program &program);

}  // namespace strata::expr
