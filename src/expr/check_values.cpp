// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Of what type each value is, and which are known before the program runs.
#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "expr/check.h"
#include "expr/fold.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

bool is_comparison(std::string_view symbol) {
  return symbol == "==" || symbol == "!=" || symbol == "<" || symbol == ">" || symbol == "<=" || symbol == ">=";
}
bool is_logical(std::string_view symbol) { return symbol == "&&" || symbol == "||"; }

// C's promotion, where all have 64 bits: unsigned wins if it is as wide. A constant takes the other's sign.
bool result_is_signed(const Expression &a, const Expression &b) {
  const auto neutral = [](const Expression &e) { return e.constant && static_cast<int64_t>(e.number) >= 0; };
  if (neutral(a) && neutral(b)) return true;
  if (neutral(a)) return b.type.is_signed || b.type.size < 8;
  if (neutral(b)) return a.type.is_signed || a.type.size < 8;
  return (a.type.is_signed || a.type.size < 8) && (b.type.is_signed || b.type.size < 8);
}

}  // namespace

void Check::visit(Expression &e) {
  switch (e.kind) {
    case Kind::kNumber:
      e.type = e.text == "true" || e.text == "false" ? bool_type() : int_type(8, static_cast<int64_t>(e.number) >= 0);
      e.constant = true;
      return;
    case Kind::kString:
      e.type = string_type(static_cast<uint32_t>(e.text.size() + 1));
      return;
    case Kind::kName:
      return visit_name(e);
    case Kind::kVariable:
      return visit_variable(e);
    case Kind::kMap:
      return visit_map(e);
    case Kind::kCall:
      return visit_call(e);
    case Kind::kField:
      return visit_field(e);
    case Kind::kIndex:
      return visit_index(e);
    case Kind::kUnary:
      return visit_unary(e);
    case Kind::kBinary:
      return visit_binary(e);
    case Kind::kChoice:
      return visit_choice(e);
    case Kind::kCast:
      return visit_cast(e);
    case Kind::kTuple: {
      for (ExpressionPtr &part : e.parts) visit_value(part);
      return become_tuple(e);
    }
    case Kind::kStep:
      return visit_step(e);
    case Kind::kBlock:
      return visit_block(e);
    case Kind::kRoutine:
      return visit_routine(e, false);
    case Kind::kSize:
      return visit_size(e);
    case Kind::kOffset:
      return visit_offset(e);
  }
}

void Check::visit_parts(Expression &e) {
  for (const ExpressionPtr &part : e.parts) visit(*part);
}

// Where a value is wanted, an array of char is the string in it.
void Check::visit_value(ExpressionPtr &e) {
  visit(*e);
  if (e->type.is_char_array()) as_string(e);
}

// That it points to, as str() has it.
void Check::as_string(ExpressionPtr &e) {
  auto call = std::make_unique<Expression>();
  call->kind = Kind::kCall;
  call->at = e->at;
  call->text = "str";
  call->parts.push_back(std::move(e));
  e = std::move(call);
  check_str(*e);
}

void Check::visit_variable(Expression &e) {
  const auto at = names_.find(scoped(e));
  if (at == names_.end())
    throw error(e, gone_.contains(scoped(e)) ? "$" + e.text + " is known only in the block that gives it a value: " +
                                                   "declare it before that, let $" + e.text
                                             : "$" + e.text + " has no value yet");
  e.index = at->second;
  e.type = variables_[at->second].type;
}

// Of the bytes of a struct or an array in our own memory, a map's or a tuple's: that, whose value is its address.
Type Check::where_it_lies(const Type &type) {
  if (!type.is(TypeKind::kWhole)) return type;
  Type there = *type.to;
  there.space = Space::kKernel;
  return there;
}

void Check::visit_map(Expression &e) {
  learn_key(map_index(e), e);
  plan_.maps[e.index].is_read = true;
  e.type = where_it_lies(plan_.maps[e.index].value);
  if (e.type.is_aggregate() && e.type.kind <= TypeKind::kAverage) e.type = int_type(8, e.type.is_signed);
  if (last_ && !e.type.known()) throw error(e, "@" + e.text + " is never given a value");
}

void Check::visit_field(Expression &e) {
  Expression &of = *e.parts[0];
  if (of.kind == Kind::kName && (of.text == "args" || of.text == "ctx")) {
    for (const Field &one : target_->arguments)
      if (one.name == e.text) {
        if (one.type.is(TypeKind::kRecord) && target_->has_registers() && !target_->in_user_space())
          throw error(e, "the argument '" + e.text + "' is a struct in registers; fentry reads it");
        e.type = one.type;
        e.offset = one.offset;
        return;
      }
    if (target_->is("tracepoint") && e.text.starts_with("common_"))
      throw error(e, "the kernel shows " + printable(e.text) + " to no program" +
                         (e.text == "common_pid" ? "; it is tid, and pid is the process" : ""));
    if (const auto why = target_->unreadable.find(e.text); why != target_->unreadable.end())
      throw error(e, "the argument '" + e.text + "' cannot be read: " + why->second);
    want_arguments(e);
    std::vector<std::string_view> names;
    for (const Field &one : target_->arguments) names.push_back(one.name);
    throw error(e, target_->title + " has no argument '" + printable(e.text) + "'" +
                       (meant(e.text, names).empty() ? "; it has " + comma_list(names) : meant(e.text, names)));
  }
  visit(of);
  if (of.type.is(TypeKind::kTuple)) {
    return visit_part(e);
  }
  if (!last_ && !of.type.known()) return;
  const Record *record = types_.record_of(of.type);
  if (record == nullptr) throw error(e, name_of(of.type) + " has no fields");
  const std::optional<Field> found = types_.field(*record, e.text);
  if (!found) {
    const std::vector<std::string> names = types_.field_names(*record);
    throw error(e, (record->name.empty() ? "this struct" : record->name) + " has no field '" + printable(e.text) + "'" +
                       meant(e.text, names));
  }
  e.type = found->type;
  e.offset = found->offset;
  e.type.space = of.type.space;
}

// By its number, or in a record by its name.
void Check::visit_part(Expression &e) {
  const Type &of = e.parts[0]->type;
  if (of.record != nullptr) {
    const std::vector<Field> &fields = of.record->fields;
    const auto at = std::ranges::find(fields, e.text, &Field::name);
    if (at != fields.end()) return take_part(e, static_cast<uint64_t>(at - fields.begin()));
    std::vector<std::string_view> names;
    for (const Field &one : fields) names.push_back(one.name);
    throw error(e, "this record has no value '" + printable(e.text) + "'" +
                       (meant(e.text, names).empty() ? "; it has " + comma_list(names) : meant(e.text, names)));
  }
  uint64_t index = 0;
  if (!parse_number(e.text, index) || index >= of.parts.size())
    throw error(e, of.parts.empty() ? "this tuple has no values"
                                    : "this tuple has the values .0 to ." + std::to_string(of.parts.size() - 1));
  take_part(e, index);
}

// Of the tuple that is the first of its parts.
void Check::take_part(Expression &e, uint64_t index) {
  const std::vector<Type> &parts = e.parts[0]->type.parts;
  e.offset = 0;
  for (size_t i = 0; i < index; i++) e.offset += parts[i].bytes();
  e.type = where_it_lies(parts[index]);
}

void Check::visit_index(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[1], "an index");
  const Type &of = e.parts[0]->type;
  if (of.is(TypeKind::kTuple)) {
    const uint64_t index = want_constant(*e.parts[1], "the index of a tuple");
    if (index >= of.parts.size()) throw error(e, "this tuple has " + std::to_string(of.parts.size()) + " values");
    return take_part(e, index);
  }
  if (!of.is(TypeKind::kArray) && !of.is(TypeKind::kPointer)) throw error(e, name_of(of) + " has no elements");
  if (of.is(TypeKind::kPointer) && !of.to->known()) throw error(e, "what a void * points to has no type: cast it");
  if (of.is(TypeKind::kArray) && e.parts[1]->constant && of.count != 0 && e.parts[1]->number >= of.count)
    throw error(e, "the array has " + std::to_string(of.count) + " elements");
  const Space space = of.space;
  e.type = *of.to;
  e.type.space = space;
}

// Of what lies in memory of the program, where numbers have 8 bytes.
void Check::visit_address_of(Expression &e) {
  const Expression &of = *e.parts[0];
  const Type &type = of.type;
  if (!last_ && !type.known()) return;
  if (!type.is_number() && !type.is(TypeKind::kString))
    throw error(e, "& takes the address of a field, a number or a string, and this is " + name_of(type));
  Type to = type.is(TypeKind::kInt) ? int_type(8, type.is_signed) : type;
  if (type.is(TypeKind::kString)) to = {.kind = TypeKind::kInt, .size = 1, .is_signed = true, .is_char = true};
  e.type = pointer_to(std::move(to), Space::kKernel);
}

void Check::visit_unary(Expression &e) {
  visit_parts(e);
  const Expression &value = *e.parts[0];
  if (e.text == "*") {
    if (value.type.is(TypeKind::kPointer) && !value.type.to->known())
      throw error(e, "what a void * points to has no type: cast it");
    if (!value.type.is(TypeKind::kPointer) && value.type.known() && !value.type.is(TypeKind::kInt))
      throw error(e, name_of(value.type) + " is no pointer");
    e.type = value.type.is(TypeKind::kPointer) ? *value.type.to : int_type(8, false);
    e.type.space = value.type.space;
    return;
  }
  if (e.text == "&") {
    if (value.kind == Kind::kVariable || value.kind == Kind::kMap) return visit_address_of(e);
    if (value.kind != Kind::kField && value.kind != Kind::kIndex) throw error(e, "& takes the address of a field");
    const Expression &of = *value.parts[0];
    if (value.type.is(TypeKind::kTuple) || of.type.is(TypeKind::kTuple)) throw error(e, "a tuple has no address");
    if (of.kind == Kind::kName && (of.text == "args" || of.text == "ctx") && !target_->is("tracepoint"))
      throw error(e, "arguments of " + target_->kind + " have no address");
    e.type = pointer_to(value.type, value.type.space);
    return;
  }
  want_number(value, ("the operand of " + e.text).c_str());
  e.type = e.text == "!" ? bool_type() : int_type(8, e.text == "-" || value.type.is_signed || value.type.is_enum());
  fold(e);
}

void Check::visit_binary(Expression &e) {
  for (ExpressionPtr &part : e.parts) visit_value(part);
  const auto is_pointer = [&](size_t i) { return e.parts[i]->type.is(TypeKind::kPointer); };
  if (e.text == "+" && is_pointer(1) && !is_pointer(0)) std::swap(e.parts[0], e.parts[1]);  // the pointer first
  const Expression &a = *e.parts[0], &b = *e.parts[1];
  if (e.text == "?:") {
    e.type = a.type;
    return want_number(a, "?:");
  }
  if (a.type.is(TypeKind::kTuple) && b.type.is(TypeKind::kTuple)) return compare_tuples(e);
  if (is_comparison(e.text) && !last_ && !(a.type.known() && b.type.known())) {  // a map that is given a value below
    e.type = bool_type();
    return;
  }
  if (a.type.is(TypeKind::kString) && b.type.is(TypeKind::kString)) {
    if (e.text != "==" && e.text != "!=") throw error(e, "strings are compared by == and != alone");
    e.type = bool_type();
    const bool first = a.kind == Kind::kName;
    const std::string *name = name_of_place(first ? a : b);
    const Expression &other = first ? b : a;
    e.constant = name != nullptr && other.kind == Kind::kString;
    if (e.constant) e.number = (*name == other.text) == (e.text == "==") ? 1 : 0;
    return;
  }
  if (a.type.is(TypeKind::kArray) && b.type.is(TypeKind::kArray)) {
    if (e.text != "==" && e.text != "!=") throw error(e, "arrays are compared by == and != alone");
    if (a.type.size != b.type.size || a.type.size > kMostCompared)
      throw error(e, "arrays that are compared have the same size, at most " + std::to_string(kMostCompared) +
                         " bytes, and these are " + name_of(a.type) + " and " + name_of(b.type));
    e.type = bool_type();
    return;
  }
  const auto number = [](const Type &type) {
    return !type.known() || type.is_number() || type.is(TypeKind::kKernelSymbol);
  };
  if (!number(a.type) || !number(b.type))
    throw error(e, e.text + " takes numbers, not " + name_of(a.type) + " and " + name_of(b.type));
  if (is_comparison(e.text) || is_logical(e.text)) {
    e.type = bool_type();
    e.index = result_is_signed(a, b);
  } else if (a.type.is(TypeKind::kPointer) && (e.text == "+" || e.text == "-") && !b.type.is(TypeKind::kPointer)) {
    e.type = a.type;
  } else if (b.type.is(TypeKind::kPointer) && e.text == "+") {
    e.type = b.type;
  } else {
    e.type = int_type(8, e.text == "-" || result_is_signed(a, b));
    e.index = result_is_signed(a, b);
  }
  fold(e);
}

// Only of constants.
bool Check::fold(Expression &e) {
  e.constant = std::ranges::all_of(e.parts, [](const ExpressionPtr &part) { return part->constant; });
  if (!e.constant) return false;
  const uint64_t a = e.parts[0]->number;
  e.number = e.kind == Kind::kUnary ? folded(e.text, a) : folded(e.text, a, e.parts[1]->number, e.index != 0);
  return true;
}

void Check::visit_choice(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[0], "the condition of ?:");
  const Type &yes = e.parts[1]->type, &no = e.parts[2]->type;
  if (yes.known() && no.known() && !fits(yes, no))
    throw error(e, "the two values of ?: are of different types: " + name_of(yes) + " and " + name_of(no));
  e.type = yes;
  widen(e.type, no);
  if (e.type.is(TypeKind::kInt) && !alike(yes, no)) e.type = int_type(8, result_is_signed(*e.parts[1], *e.parts[2]));
}

// That a cast, let, sizeof() or offsetof() names. A typeof() is looked at for its type alone.
Type Check::named_type(Expression &e, Space space) {
  if (!e.type_name.of) {
    std::optional<Type> type = types_.named(e.type_name, space);
    if (!type) throw error(e, "unknown type '" + printable(e.type_name.name) + "'");
    return *std::move(type);
  }
  visit(*e.type_name.of);
  Type type = e.type_name.of->type;
  if (type.is_char_array()) type = string_at(type);
  for (uint32_t i = 0; i < e.type_name.pointers; i++) type = pointer_to(std::move(type), space);
  return type;
}

void Check::visit_cast(Expression &e) {
  visit_parts(e);
  const Expression &value = *e.parts[0];
  Type type = named_type(e, value.type.space);
  if (!type.known() && !last_) return;
  if (type.is(TypeKind::kArray)) return become_array(e, type);
  if (value.type.is(TypeKind::kString)) return visit_string_cast(e, std::move(type));
  if (!type.is(TypeKind::kInt) && !type.is(TypeKind::kPointer))
    throw error(e, "a value cannot be cast to " + name_of(type));
  if (value.type.is(TypeKind::kArray) && type.is(TypeKind::kInt)) {
    if (value.type.size != type.size)
      throw error(e, name_of(value.type) + " has " + std::to_string(value.type.size) + " bytes, and " + name_of(type) +
                         " has " + std::to_string(type.size));
  } else if (value.type.is_aggregate() || !value.type.is_scalar()) {
    throw error(e, name_of(value.type) + " is no number");
  }
  e.type = std::move(type);
}

// (string[64])"a" has more room; (bool)"a" is whether there is a character.
void Check::visit_string_cast(Expression &e, Type type) {
  const Type &from = e.parts[0]->type;
  if (type.is_bool) {
    auto empty = std::make_unique<Expression>();
    empty->kind = Kind::kString;
    empty->at = e.at;
    e.kind = Kind::kBinary;
    e.text = "!=";
    e.parts.push_back(std::move(empty));
    return visit(e);
  }
  if (!type.is(TypeKind::kString)) throw error(e, name_of(from) + " cannot be cast to " + name_of(type));
  if (type.size < from.size) throw error(e, name_of(type) + " has no room for " + name_of(from));
  e.type = std::move(type);
}

// (uint8[8])number: its bytes, in memory of the program from its beginning to its end, as those of pton().
void Check::become_array(Expression &e, Type type) {
  const Expression &value = *e.parts[0];
  want_number(value, "what becomes an array");
  const uint32_t bytes = value.type.is(TypeKind::kInt) ? value.type.size : 8;
  const uint32_t each = std::max<uint32_t>(type.to->size, 1);
  if (type.count == 0) type.count = bytes / each;
  type.size = type.count * each;
  if (!type.to->is(TypeKind::kInt) || type.size != bytes)
    throw error(
        e, name_of(type) + " has " + std::to_string(type.size) + " bytes, and the number has " + std::to_string(bytes));
  type.space = Space::kKernel;
  e.type = std::move(type);
  e.index = add_room(int_type());
}

void Check::visit_step(Expression &e) {
  Expression &target = *e.parts[0];
  if (target.kind == Kind::kMap) {
    if (learn_key(map_index(target), target) || last_) learn_map(plan_.maps[target.index], int_type(), target);
    plan_.maps[target.index].adds = true;
    target.type = plan_.maps[target.index].value;
  } else if (target.kind == Kind::kVariable) {
    visit(target);
    want_number(target, e.text.c_str());
    if (target.type.is_enum()) widen_variable(target.index, int_type());
  } else {
    throw error(e, e.text + " is for variables and maps");
  }
  e.type = target.type.is(TypeKind::kPointer) ? target.type : int_type();
}

}  // namespace strata::expr
