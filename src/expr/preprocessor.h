// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The directives of C's preprocessor that programs have: the tokens that #define gives to a name stand where the name
// is used, and what a condition leaves out is gone before the parser sees it.
#pragma once

#include <vector>

#include "expr/lexer.h"
#include "expr/source.h"

namespace strata::expr {

// Of a whole program. Errors about tokens of a #define point at its use.
std::vector<Token> preprocessed(const Source &source, std::vector<Token> tokens);  // throws Error

}  // namespace strata::expr
