// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What is taken as a whole: structs, unions, arrays and all arguments of a place, where they are shown, which user
// space takes apart; and tuples, where they are compared.
#include <algorithm>

#include "expr/check.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

bool comparable(const Type &a, const Type &b) {
  const auto number = [](const Type &type) {
    return !type.known() || type.is_number() || type.is(TypeKind::kKernelSymbol);
  };
  if (a.is(TypeKind::kTuple) && b.is(TypeKind::kTuple))
    return same_names(a, b) && std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), comparable);
  return (number(a) && number(b)) || !a.known() || !b.known() || (a.is(TypeKind::kString) && b.is(TypeKind::kString));
}

}  // namespace

void Check::visit_shown(ExpressionPtr &e) {
  if (e->kind != Kind::kTuple) return visit_value(e);
  for (ExpressionPtr &part : e->parts) visit_shown(part);
  become_tuple(*e);
}

// Of the types that its parts have.
void Check::become_tuple(Expression &e) {
  std::vector<Type> parts;
  for (const ExpressionPtr &part : e.parts) parts.push_back(shown_type(*part));
  e.type = tuple_of(std::move(parts));
  if (e.names.empty()) return;
  const auto record = std::make_shared<Record>();
  for (const std::string &name : e.names) record->fields.push_back({.name = name, .type = {}});
  e.type.record = record;
}

void Check::want_arguments(const Expression &e) const {
  if (!target_->arguments.empty()) return;
  throw error(e, target_->why_no_arguments.empty() ? "nothing is known of the arguments of " + target_->title
                                                   : target_->why_no_arguments);
}

// A tuple whose parts have names: anew for each place that the probe has.
void Check::visit_arguments(Expression &e) {
  want_arguments(e);
  const auto record = std::make_shared<Record>();
  record->name = e.text;
  e.parts.clear();
  std::vector<Type> types;
  for (const Field &one : target_->arguments) {
    auto all = std::make_unique<Expression>(), argument = std::make_unique<Expression>();
    all->kind = Kind::kName;
    argument->kind = Kind::kField;
    all->text = e.text;
    argument->text = one.name;
    all->at = argument->at = e.at;
    argument->parts.push_back(std::move(all));
    visit_value(argument);
    if (argument->type.name == "__data_loc" && argument->type.to->is_char) as_string(argument);
    types.push_back(shown_type(*argument));
    record->fields.push_back({.name = one.name, .type = types.back()});
    e.parts.push_back(std::move(argument));
  }
  e.type = tuple_of(std::move(types));
  e.type.record = record;
}

Type Check::shown_type(const Expression &e) {
  const Type &type = e.type;
  if (type.is(TypeKind::kTuple) && (e.kind == Kind::kTuple || e.kind == Kind::kName)) {
    Type made = type;
    for (size_t i = 0; i < made.parts.size(); i++) made.parts[i] = shown_type(*e.parts[i]);
    return made;
  }
  if (!type.is(TypeKind::kRecord) && !type.is(TypeKind::kArray)) return type;
  const uint32_t bytes = type.is(TypeKind::kRecord) ? type.record->size : type.size;
  if (bytes > kMostShown)
    throw error(e, name_of(type) + " has " + std::to_string(bytes) + " bytes, and as a whole at most " +
                       std::to_string(kMostShown) + " are shown: show " +
                       (type.is(TypeKind::kRecord) ? "its fields" : "its elements"));
  complete(type);
  Type whole = of_kind(TypeKind::kWhole, bytes);
  whole.to = std::make_shared<const Type>(type);
  return whole;
}

// With the fields of all records within; what its pointers lead to is not looked at.
void Check::complete(const Type &type) {
  if (type.is(TypeKind::kArray)) return complete(*type.to);
  const Record *record = type.is(TypeKind::kRecord) ? types_.record_of(type) : nullptr;
  if (record == nullptr) return;
  for (const Field &field : record->fields) complete(field.type);
}

// Part by part.
void Check::compare_tuples(Expression &e) const {
  const Type &a = e.parts[0]->type, &b = e.parts[1]->type;
  if (e.text != "==" && e.text != "!=") throw error(e, "tuples are compared by == and != alone");
  if (!comparable(a, b))
    throw error(e,
                "tuples that are compared have as many values, which are numbers, strings or tuples alike, and these "
                "are " +
                    name_of(a) + " and " + name_of(b));
  e.type = bool_type();
}

}  // namespace strata::expr
