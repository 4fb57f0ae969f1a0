// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// From a program's text to its instructions: pure functions of the text, the kernel's types and the places.
#pragma once

#include <vector>

#include "expr/ast.h"
#include "expr/generate.h"
#include "expr/plan.h"
#include "expr/source.h"
#include "expr/types.h"

namespace strata::expr {

// `targets`: of each probe the places where it is attached, for each of which it is compiled, as types differ. Throws
// Error.
Plan compile(const Source &source, Program &program, const std::vector<std::vector<Target>> &targets, Types &types,
             const Circumstances &circumstances, const Settings &settings);

}  // namespace strata::expr
