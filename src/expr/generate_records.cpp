// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Structs, arrays and tuples as a whole, and where their parts lie.
#include <algorithm>

#include "expr/format.h"
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

// What lies in the record of a tracepoint is the kernel's, whatever its pointers lead to; a number of an array there is
// such a pointer.
Space Generator::space_of(const Expression &from) const {
  if (!from.type.is(TypeKind::kArray) && !from.type.is(TypeKind::kRecord)) return from.type.space;
  const Expression *at = &from;
  while (is_within(*at)) at = at->parts[0].get();
  const bool argument = at->kind == Kind::kField && at->parts[0]->kind == Kind::kName &&
                        (at->parts[0]->text == "args" || at->parts[0]->text == "ctx");
  const bool in_record = argument && (at->type.is(TypeKind::kArray) || at->type.is(TypeKind::kRecord));
  return in_record && target_->is("tracepoint") ? Space::kKernel : from.type.space;
}

uint32_t Generator::address(const Expression &e) {
  if (e.kind == Kind::kField && e.parts[0]->kind == Kind::kName &&
      (e.parts[0]->text == "args" || e.parts[0]->text == "ctx")) {
    if (target_->in_user_space()) {  // on the stack
      value(e);
      return 0;
    }
    out_.move(0, 6);
    return e.offset;
  }
  const bool within = e.kind == Kind::kField || e.kind == Kind::kIndex;
  if (within && e.parts[0]->type.is(TypeKind::kTuple)) {
    value(e);
    return 0;
  }
  if (e.kind == Kind::kField && e.parts[0]->type.is(TypeKind::kRecord)) return address(*e.parts[0]) + e.offset;
  if (e.kind == Kind::kField) {
    value(*e.parts[0]);
    return e.offset;
  }
  if (e.kind == Kind::kUnary && e.text == "*") {
    value(*e.parts[0]);
    return 0;
  }
  if (e.kind != Kind::kIndex) {
    value(e);
    return 0;
  }
  const Type &of = e.parts[0]->type;
  const uint32_t each = std::max<uint32_t>(of.to->is(TypeKind::kPointer) ? 8 : of.to->size, 1);
  if (e.parts[1]->constant) {
    value(*e.parts[0]);
    return static_cast<uint32_t>(e.parts[1]->number) * each;
  }
  value(*e.parts[0]);
  Temporary array = keep();
  value(*e.parts[1]);
  out_.alu_number(BPF_MUL, 0, static_cast<int32_t>(each));
  take(1, array);
  out_.alu(BPF_ADD, 0, 1);
  return 0;
}

// What cannot be read is zeros.
void Generator::whole_to(const Expression &e, Place to, const Type &as) {
  if (as.size == 0) return;
  if (as.size % 8 != 0) store_number(to.at(as.bytes() - 8), 0);
  value(e);
  probe_read(space_of(e), false, as.size, to);
}

// Of a pinned iterator, by the kernel's printf(), whose arguments have 8 bytes each; those of strings are addresses.
void Generator::print_to_reader(const Action &action, const std::vector<const Expression *> &values) {
  std::string format, fault;
  const Place data = scratch_memory(static_cast<uint32_t>(8 * std::max<size_t>(values.size(), 1)));
  uint32_t i = 0;
  for (const FormatPart &part : parts_of_format(action.format, fault)) {
    for (const char c : part.literal) format.append(c == '%' ? 2 : 1, c);
    if (part.kind.empty()) continue;
    const Type &type = action.values[i];
    const bool text = type.is(TypeKind::kString);
    if (text) {
      const Place place = scratch_memory(type.bytes());
      value_to(*values[i], place, type);
      address_of(0, place);
    } else {
      value(*values[i]);
    }
    const bool as_hex = part.kind == "p";
    format += (as_hex ? "0x%" : "%") + part.flags;
    format += text ? "s" : as_hex ? "llx" : part.kind == "c" ? "c" : part.kind == "s" ? "lld" : "ll" + part.kind;
    store(data.at(8 * i++), 0);
  }
  const auto bytes = static_cast<uint32_t>(format.size() + 1);
  const Place place = scratch_memory((bytes + 7) / 8 * 8);
  literal_to(format, place, (bytes + 7) / 8 * 8);
  out_.load(1, 6, 0, 8);  // of the context `meta`, whose first member is the file
  out_.load(1, 1, 0, 8);
  address_of(2, place);
  out_.number(3, bytes);
  address_of(4, data);
  out_.number(5, 8 * i);
  out_.call(BPF_FUNC_seq_printf);
}

void Generator::compare_tuples(const Expression &a, const Expression &b, bool when_equal, Label to) {
  const Mark before = mark();
  const Place first = tuple_place(a), second = tuple_place(b);
  const Label different = out_.label();
  compare_parts(a.type, first, b.type, second, when_equal ? different : to);
  release(before);
  if (when_equal) out_.jump(to);
  out_.place(different);
}

// Strings end within the shorter one of their places.
void Generator::compare_parts(const Type &a, Place at, const Type &b, Place with, Label unequal) {
  if (!a.is(TypeKind::kTuple)) return compare_memory(at, with, std::min(a.bytes(), b.bytes()), unequal);
  for (size_t i = 0; i < a.parts.size(); i++) {
    compare_parts(a.parts[i], at, b.parts[i], with, unequal);
    at = at.at(a.parts[i].bytes());
    with = with.at(b.parts[i].bytes());
  }
}

}  // namespace strata::expr
