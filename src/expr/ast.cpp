#include "expr/ast.h"

namespace strata::expr {

const std::string *literal_of(const Expression &e) {
  if (e.kind == Expression::Kind::kString) return &e.text;
  const bool str = e.kind == Expression::Kind::kCall && e.text == "str" && e.parts.size() == 1;
  return str ? literal_of(*e.parts[0]) : nullptr;
}

}  // namespace strata::expr
