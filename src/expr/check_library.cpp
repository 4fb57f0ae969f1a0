// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Functions that bpftrace has in its library: what they are made of here.
#include <algorithm>
#include <memory>
#include <utility>

#include "base/text.h"
#include "expr/check.h"
#include "expr/format.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

bool is_text(const Type &type) {
  return type.is(TypeKind::kString) || type.is(TypeKind::kPlaceName) || type.is_char_array();
}

}  // namespace

// len(), also of what points to a string.
void Check::check_strlen(Expression &e) {
  visit_value(e.parts[0]);
  if (e.parts[0]->type.is_number()) {
    auto text = std::make_unique<Expression>();
    text->kind = Kind::kCall;
    text->at = e.at;
    text->text = "str";
    text->parts.push_back(std::move(e.parts[0]));
    e.parts[0] = std::move(text);
  }
  e.text = "len";
  check_len(e);
}

void Check::check_memcmp(Expression &e) {
  visit_parts(e);
  const uint64_t bytes = want_constant(*e.parts[2], "the number of bytes of memcmp()");
  if (bytes == 0 || bytes > kMostCompared)
    throw error(*e.parts[2], "memcmp() compares from 1 to " + std::to_string(kMostCompared) + " bytes");
  for (size_t i = 0; i < 2; i++) {
    const Type &type = e.parts[i]->type;
    const bool lies = type.is(TypeKind::kArray) || type.is(TypeKind::kString) || type.is(TypeKind::kRecord);
    if (!lies) want_number(*e.parts[i], "what memcmp() compares");
    if (lies && !type.is(TypeKind::kString) && type.size < bytes)
      throw error(*e.parts[i], name_of(type) + " has " + std::to_string(type.size) + " bytes");
  }
  e.type = int_type();
}

// Is there such a key? If so, the variable has its value.
void Check::check_find(Expression &e) {
  Expression &of = *e.parts[0];
  if (of.kind != Kind::kMap) throw error(of, "find() takes a map, a key, and a variable for its value");
  if (e.parts[2]->kind != Kind::kVariable) throw error(*e.parts[2], "find() puts the value into a variable: $value");
  if (of.parts.empty()) of.parts.push_back(std::move(e.parts[1]));
  e.type = bool_type();
  const bool known = learn_key(map_index(of), of);
  MapPlan &map = plan_.maps[of.index];
  map.is_read = true;
  if (!known || !map.value.known()) {
    if (last_) throw error(of, "@" + of.text + " is never given a value");
    return;
  }
  if (map.value.kind >= TypeKind::kStats)
    throw error(of, "@" + of.text + " is " + name_of(map.value) + ", which is no single value; print(@) shows it");
  of.type = map.value.is_aggregate() ? int_type(8, map.value.is_signed) : map.value;
  learn_variable(*e.parts[2], of.type, e);
}

// What errorf() and its like say: where they stand, and a line of its own.
std::string Check::said_at(const Expression &e, std::string_view what, const std::string &format) const {
  return as_format(source_.place(e.at) + ": " + std::string(what) + ": ") + format +
         (format.ends_with('\n') ? "" : "\n");
}

void Check::check_assert(Expression &e) {
  visit(*e.parts[0]);
  want_number(*e.parts[0], "the condition of assert()");
  want_text(*e.parts[1], "the message of assert()");
  want_no_value_around(e);
  e.index = add_action(
      {.kind = Action::Kind::kError, .format = said_at(e, "ERROR", as_format("assert(): " + e.parts[1]->text))});
  e.number = add_action({.kind = Action::Kind::kExit, .most = 1});
}

void Check::check_static_assert(Expression &e) {
  visit(*e.parts[0]);
  want_text(*e.parts[1], "the message of static_assert()");
  if (!last_) return;
  if (want_constant(*e.parts[0], "the condition of static_assert()") == 0) throw error(e, printable(e.parts[1]->text));
}

void Check::check_fail(Expression &e) {
  want_text(*e.parts[0], "the message of fail()");
  if (last_) throw error(e, printable(e.parts[0]->text));
}

// How long a string of this type may be; what only points to one is read as str() reads it.
void Check::check_capacity(Expression &e) {
  visit_parts(e);
  const Type type = e.parts.empty() ? Type{} : e.parts[0]->type;
  const bool lies = type.is(TypeKind::kString) || type.is(TypeKind::kArray);
  if (!e.parts.empty() && !lies) want_number(*e.parts[0], "strcap()");
  e.number = type.is(TypeKind::kArray) ? type.size : lies ? type.size - 1 : plan_.settings.string_most;
  e.constant = true;
  e.type = int_type(8, false);
}

void Check::check_text(Expression &e) {
  visit_value(e.parts[0]);
  const Type &type = e.parts[0]->type;
  if (last_ && !is_text(type)) throw error(e, "this is no string: it is " + name_of(type));
  e.number = 1;
  e.constant = true;
  e.type = bool_type();
}

// strata run calls none of them, whatever the kernel has.
void Check::check_kfunc(Expression &e) {
  want_text(*e.parts[0], "the name of a function");
  e.number = e.text == "kfunc_exist" && types_.function(e.parts[0]->text) ? 1 : 0;
  e.constant = true;
  e.type = bool_type();
}

void Check::check_is_error(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[0], "the pointer of is_err()");
  e.type = bool_type();
}

// What is known of a value's type, before the program runs.
void Check::check_is(Expression &e) {
  visit_parts(e);
  const Expression &of = *e.parts[0];
  const Type &type = of.type;
  bool is = false;
  if (e.text == "is_str") is = is_text(type);
  if (e.text == "is_ptr") is = type.is(TypeKind::kPointer);
  if (e.text == "is_array") is = type.is(TypeKind::kArray);
  if (e.text == "is_integer") is = type.is(TypeKind::kInt) && !type.is_bool;
  if (e.text == "is_unsigned_integer") is = type.is(TypeKind::kInt) && !type.is_bool && !type.is_signed;
  if (e.text == "is_literal") is = of.kind == Kind::kNumber || of.kind == Kind::kString;
  e.number = is ? 1 : 0;
  e.constant = true;
  e.type = bool_type();
}

}  // namespace strata::expr
