// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Strings and arrays: how long they are, what is in them, and whether they are the same.
#include <algorithm>
#include <cstring>

#include "expr/generate.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

bool is_literal(const Expression &e) {
  return e.kind == Kind::kString || (e.kind == Kind::kName && (e.text == "probe" || e.text == "func"));
}

}  // namespace

void Generator::length(const Expression &of) {
  if (of.kind == Kind::kMap && of.parts.empty() && !map_of(of).key.empty()) return count_keys(of);
  if (of.type.is(TypeKind::kKernelStack)) return kernel_stack_length(of.type.count);
  if (of.type.is(TypeKind::kUserStack)) return user_stack_length(of);
  const Place place = memory(of.type.bytes());
  value_to(of, place, of.type);
  string_length(place, of.type.bytes());
}

// A string has no zeros but behind its end: of each 8 bytes those are counted that are none, without a branch.
void Generator::string_length(Place place, uint32_t bytes) {
  address_of(2, place);
  out_.number(0, 0);
  out_.number(4, 0x7f7f7f7f7f7f7f7f);
  out_.number(5, 0x0101010101010101);
  for (uint32_t at = 0; at < bytes; at += 8) {
    out_.load(1, 2, static_cast<int>(at), 8);
    out_.move(3, 1);
    out_.alu(BPF_AND, 3, 4);
    out_.alu(BPF_ADD, 3, 4);
    out_.alu(BPF_OR, 3, 1);
    out_.alu_number(BPF_RSH, 3, 7);
    out_.alu(BPF_AND, 3, 5);
    out_.alu(BPF_MUL, 3, 5);
    out_.alu_number(BPF_RSH, 3, 56);
    out_.alu(BPF_ADD, 0, 3);
  }
}

void Generator::find_string(const Expression &e) {
  const std::string *text = literal_of(*e.parts[1]);
  const bool where = e.text == "strstr";
  if (text == nullptr) return find_any(*e.parts[1], *e.parts[0], where);
  find_literal(*text, *e.parts[0], where);
}

// `where`: R3 says at which place, or -1; else whether.
void Generator::end_search(Label found, bool where) {
  if (!where) return out_.settle(false, found);
  const Label done = out_.label();
  out_.number(0, ~UINT64_C(0));
  out_.jump(done);
  out_.place(found);
  out_.move(0, 3);
  out_.place(done);
}

// Where its first byte stands the others are compared all at once: with a branch for each the verifier would have more
// to remember than it can.
void Generator::find_literal(const std::string &text, const Expression &in, bool where) {
  if (text.empty()) return out_.number(0, where ? 0 : 1);
  if (text.size() >= in.type.size) return out_.number(0, where ? ~UINT64_C(0) : 0);
  const Label top = out_.label(), next = out_.label(), found = out_.label(), none = out_.label();
  const Place place = memory(in.type.bytes());
  value_to(in, place, in.type);
  address_of(2, place);
  out_.number(3, 0);
  out_.place(top);
  out_.load(0, 2, 0, 1);
  out_.jump_if_number(BPF_JEQ, 0, 0, none);
  out_.jump_if_number(BPF_JNE, 0, static_cast<uint8_t>(text[0]), next);
  out_.number(0, 0);
  for (size_t i = 1; i < text.size(); i++) {
    out_.load(1, 2, static_cast<int>(i), 1);
    out_.alu_number(BPF_XOR, 1, static_cast<uint8_t>(text[i]));
    out_.alu(BPF_OR, 0, 1);
  }
  out_.jump_if_number(BPF_JEQ, 0, 0, found);
  out_.place(next);
  out_.alu_number(BPF_ADD, 2, 1);
  out_.alu_number(BPF_ADD, 3, 1);
  out_.jump_if_number(BPF_JLT, 3, static_cast<int32_t>(in.type.size - text.size()), top);
  out_.place(none);
  end_search(found, where);
}

// The same, and behind the needle's end nothing differs.
void Generator::find_any(const Expression &needle, const Expression &in, bool where) {
  const Label top = out_.label(), next = out_.label(), found = out_.label(), none = out_.label();
  const uint32_t most = needle.type.size;
  const Type wide = string_type(in.type.bytes() + needle.type.bytes());
  const Place place = memory(wide.bytes()), wanted = memory(needle.type.bytes());
  value_to(in, place, wide);
  value_to(needle, wanted, needle.type);
  address_of(2, place);
  address_of(4, wanted);
  out_.load(1, 4, 0, 1);
  out_.number(3, 0);
  out_.jump_if_number(BPF_JEQ, 1, 0, found);
  out_.place(top);
  out_.load(0, 2, 0, 1);
  out_.jump_if_number(BPF_JEQ, 0, 0, none);
  out_.load(1, 4, 0, 1);
  out_.jump_if(BPF_JNE, 0, 1, next);
  out_.number(5, 0);
  for (uint32_t i = 1; i < most; i++) {
    out_.load(0, 4, static_cast<int>(i), 1);
    out_.load(1, 2, static_cast<int>(i), 1);
    out_.alu(BPF_XOR, 1, 0);
    out_.alu_number(BPF_NEG, 0, 0);
    out_.alu_number(BPF_ARSH, 0, 63);
    out_.alu(BPF_AND, 1, 0);
    out_.alu(BPF_OR, 5, 1);
  }
  out_.jump_if_number(BPF_JEQ, 5, 0, found);
  out_.place(next);
  out_.alu_number(BPF_ADD, 2, 1);
  out_.alu_number(BPF_ADD, 3, 1);
  out_.jump_if_number(BPF_JLT, 3, static_cast<int32_t>(in.type.size), top);
  out_.place(none);
  end_search(found, where);
}

// What cannot be read is zeros.
void Generator::compare_arrays(const Expression &a, const Expression &b, bool when_equal, Label to) {
  const Mark before = mark();
  const uint32_t bytes = a.type.size, room = (bytes + 7) / 8 * 8;
  const Place places[] = {memory(room), memory(room)};
  for (size_t i = 0; i < 2; i++) {
    const Expression &one = i == 0 ? a : b;
    clear(places[i], room);
    value(one);
    probe_read(space_of(one), false, bytes, places[i]);
  }
  const Label different = out_.label();
  compare_memory(places[0], places[1], room, when_equal ? different : to);
  release(before);
  if (when_equal) out_.jump(to);
  out_.place(different);
}

void Generator::compare_memory(Place a, Place b, uint32_t bytes, Label unequal) {
  address_of(2, a);
  address_of(3, b);
  for (uint32_t at = 0; at < bytes; at += 8) {
    out_.load(0, 2, static_cast<int>(at), 8);
    out_.load(1, 3, static_cast<int>(at), 8);
    if (const uint32_t left = bytes - at; left < 8) {
      out_.alu_number(BPF_LSH, 0, static_cast<int32_t>(64 - left * 8));
      out_.alu_number(BPF_LSH, 1, static_cast<int32_t>(64 - left * 8));
    }
    out_.jump_if(BPF_JNE, 0, 1, unequal);
  }
}

// memcmp(): -1, 0 or 1, by the first byte that differs, which is in the first word that does, seen from its first byte.
void Generator::compare_bytes(const Expression &e) {
  const auto bytes = static_cast<uint32_t>(e.parts[2]->number), room = (bytes + 7) / 8 * 8;
  const Place places[] = {memory(room), memory(room)};
  for (size_t i = 0; i < 2; i++) {
    const Expression &one = *e.parts[i];
    clear(places[i], room);
    if (one.type.is(TypeKind::kString)) {
      const Place whole = memory(one.type.bytes());
      value_to(one, whole, one.type);
      copy(whole, places[i], std::min(room, one.type.bytes()));
      continue;
    }
    value(one);
    probe_read(space_of(one), false, bytes, places[i]);
  }
  const Label less = out_.label(), more = out_.label(), done = out_.label();
  address_of(2, places[0]);
  address_of(3, places[1]);
  for (uint32_t at = 0; at < bytes; at += 8) {
    const Label same = out_.label();
    const uint32_t behind = bytes - at < 8 ? 64 - (bytes - at) * 8 : 0;
    for (int reg = 0; reg < 2; reg++) {
      out_.load(reg, 2 + reg, static_cast<int>(at), 8);
      out_.swap_bytes(reg, 8);
      if (behind != 0) out_.alu_number(BPF_RSH, reg, static_cast<int32_t>(behind));
    }
    out_.jump_if(BPF_JEQ, 0, 1, same);
    out_.jump_if(BPF_JLT, 0, 1, less);
    out_.jump(more);
    out_.place(same);
  }
  out_.number(0, 0);
  out_.jump(done);
  out_.place(less);
  out_.number(0, ~UINT64_C(0));
  out_.jump(done);
  out_.place(more);
  out_.number(0, 1);
  out_.place(done);
}

// With a literal only its bytes and the zero behind them; else word by word, as both end in zeros.
void Generator::compare_strings(const Expression &a, const Expression &b, uint32_t most, bool when_equal, Label to) {
  const Expression &literal = is_literal(a) ? a : b, &other = is_literal(a) ? b : a;
  const Label different = out_.label();
  const Label unequal = when_equal ? different : to;
  if (literal.kind == Kind::kString) {
    const Mark before = mark();
    const uint32_t room = std::max(other.type.bytes(), static_cast<uint32_t>((literal.text.size() + 8) / 8 * 8));
    const Place place = memory(room);
    value_to(other, place, string_type(room));
    uint32_t left = std::min<uint32_t>(static_cast<uint32_t>(literal.text.size()) + 1, most), at = 0;
    std::string text = literal.text;
    text.resize(text.size() + 8);
    address_of(2, place);
    while (left > 0) {
      const uint32_t bytes = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
      uint64_t word = 0;
      memcpy(&word, text.data() + at, bytes);
      out_.load(0, 2, static_cast<int>(at), bytes);
      out_.number(1, word);
      out_.jump_if(BPF_JNE, 0, 1, unequal);
      at += bytes;
      left -= bytes;
    }
    release(before);
  } else {
    const Mark before = mark();
    const uint32_t room = std::max(a.type.bytes(), b.type.bytes());
    const Place first = memory(room), second = memory(room);
    value_to(a, first, string_type(room));
    value_to(b, second, string_type(room));
    compare_memory(first, second, std::min(room, most), unequal);
    release(before);
  }
  if (when_equal) out_.jump(to);
  out_.place(different);
}

}  // namespace strata::expr
