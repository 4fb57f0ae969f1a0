// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/ast.h"

namespace strata::expr {

const std::string *literal_of(const Expression &e) {
  if (e.kind == Expression::Kind::kString) return &e.text;
  const bool str = e.kind == Expression::Kind::kCall && e.text == "str" && e.parts.size() == 1;
  return str ? literal_of(*e.parts[0]) : nullptr;
}

const Block *known_branch(const Statement &one) {
  if (one.kind != Statement::Kind::kIf || !one.value->constant) return nullptr;
  return one.value->number != 0 ? &one.body : &one.otherwise;
}

}  // namespace strata::expr
