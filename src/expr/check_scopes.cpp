// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where variables are known: in blocks, in the branches of an if, and in functions of the program.
#include <string>
#include <utility>

#include "expr/check.h"

namespace strata::expr {
namespace {

using TypeKind = Type::Kind;

bool is_void(const Expression &routine) { return routine.type_name.name == "void" && routine.type_name.pointers == 0; }

}  // namespace

// A variable that has its first value in a block is known there alone.
void Check::scope(Block &inner) {
  const Names outside = names_;
  block(inner);
  leave(outside);
}

void Check::leave(const Names &outside) {
  for (const auto &[name, index] : names_)
    if (!outside.contains(name)) gone_.insert(name);
  names_ = outside;
}

void Check::body_of_loop(Block &body) {
  loops_within_++;
  scope(body);
  loops_within_--;
}

// What both branches of an if give a value is known behind it as well: programs of bpftrace before 0.22, whose
// variables were the probe's, are written like that. In the second branch it is the same variable, where it fits.
void Check::branches(Statement &one) {
  const Names outside = names_, beside = beside_;
  block(one.body);
  const Names first = names_;
  names_ = outside;
  beside_.insert(first.begin(), first.end());
  block(one.otherwise);
  Names both = outside;
  for (const auto &[name, index] : names_)
    if (const auto at = first.find(name); at != first.end() && at->second == index) both.insert({name, index});
  for (const Names *each : {&first, static_cast<const Names *>(&names_)})
    for (const auto &[name, index] : *each)
      if (!both.contains(name)) gone_.insert(name);
  names_ = std::move(both);
  beside_ = beside;
}

// Where its value is wanted, a record that is half written could not be left behind, either.
void Check::visit_routine(Expression &e, bool is_statement) {
  if (is_void(e) && !is_statement) throw error(e, "fn " + e.text + " has no value: what it returns is void");
  Type result = is_void(e) ? Type{} : named_type(e);
  if (result.is(TypeKind::kRecord) || result.is(TypeKind::kArray))
    throw error(e, "fn " + e.text + " cannot return " + name_of(result) + " as a whole; return a pointer to it");
  const bool outside = within_value_;
  within_value_ = outside || block_values_ > 0 || !is_statement;
  const unsigned values = std::exchange(block_values_, 0);
  const bool loop = std::exchange(by_helper_, false);
  e.index = add_room(result);
  e.type = std::move(result);
  const Expression *caller = std::exchange(routine_, &e);
  scope(e.body);
  routine_ = caller, by_helper_ = loop, block_values_ = values, within_value_ = outside;
}

void Check::want_no_value_around(const Expression &e) const {
  if (block_values_ > 0) throw error(e, "nothing leaves a block that is a value");
  if (within_value_) throw error(e, e.text + "() cannot end the run within a function whose value is wanted");
}

void Check::return_from_routine(Statement &one) {
  const std::string name = "fn " + routine_->text;
  if (by_helper_) throw source_.error(one.at, name + " cannot return from a loop through a map: break leaves it");
  const Type result = routine_->type;
  if (is_void(*routine_) != !one.value)
    throw source_.error(one.at,
                        is_void(*routine_) ? name + " is void: it returns no value" : name + " returns a value");
  if (!one.value) return;
  visit_value(one.value);
  if (one.value->type.known() && !fits(one.value->type, result))
    throw error(*one.value, name + " returns " + name_of(result) + ", and this is " + name_of(one.value->type));
}

}  // namespace strata::expr
