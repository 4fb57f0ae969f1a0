// Structs and arrays as a whole.
#include "expr/generate.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

bool is_within(const Expression &e) {
  return (e.kind == Kind::kField || e.kind == Kind::kIndex) &&
         (e.parts[0]->type.is(TypeKind::kRecord) || e.parts[0]->type.is(TypeKind::kArray));
}

}  // namespace

// What lies in the record of a tracepoint is the kernel's, whatever its pointers lead to.
Space Generator::space_of(const Expression &from) const {
  const Expression *at = &from;
  while (is_within(*at)) at = at->parts[0].get();
  const bool argument = at->kind == Kind::kField && at->parts[0]->kind == Kind::kName &&
                        (at->parts[0]->text == "args" || at->parts[0]->text == "ctx");
  const bool in_record = argument && (at->type.is(TypeKind::kArray) || at->type.is(TypeKind::kRecord));
  return in_record && target_->is("tracepoint") ? Space::kKernel : from.type.space;
}

// What cannot be read is zeros.
void Generator::whole_to(const Expression &e, Place to, const Type &as) {
  if (as.size == 0) return;
  if (as.size % 8 != 0) store_number(to.at(as.bytes() - 8), 0);
  value(e);
  probe_read(space_of(e), false, as.size, to);
}

}  // namespace strata::expr
