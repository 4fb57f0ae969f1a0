// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/uses.h"

namespace strata::expr {
namespace {

void add(Uses &uses, const Block &block);

void add(Uses &uses, const Expression *e) {
  if (e == nullptr) return;
  if (e->kind == Expression::Kind::kName && e->text == "args") uses.arguments = true;
  if (!e->type_name.name.empty()) uses.types.insert(e->type_name.name);
  add(uses, e->type_name.of.get());
  for (const ExpressionPtr &part : e->parts) add(uses, part.get());
  add(uses, e->body);
}

void add(Uses &uses, const Block &block) {
  for (const Statement &one : block) {
    uses.whiles |= one.kind == Statement::Kind::kWhile;
    uses.returns |= one.kind == Statement::Kind::kReturn;
    add(uses, one.target.get()), add(uses, one.value.get()), add(uses, one.end.get());
    add(uses, one.body), add(uses, one.otherwise);
  }
}

}  // namespace

Uses uses_of(const Probe &probe) {
  Uses uses;
  add(uses, probe.predicate.get());
  add(uses, probe.body);
  return uses;
}

Uses uses_of(const Block &block) {
  Uses uses;
  add(uses, block);
  return uses;
}

}  // namespace strata::expr
