// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program defines as C does: enumerations, structs and unions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "expr/ast.h"
#include "expr/constants.h"
#include "expr/expression_parser.h"
#include "expr/fold.h"

namespace strata::expr {

inline constexpr uint64_t kMostBits = 65;  // of a bit field: too many in any case

class DefinitionParser : protected ExpressionParser {
 protected:
  using ExpressionParser::ExpressionParser;
  ~DefinitionParser() = default;

  // Also `struct name;`, which says nothing that is not known.
  [[nodiscard]] bool begins_definition() const {
    if (peek().is_name("enum")) return peek(1).is("{") || peek(2).is("{");
    if (!peek().is_name("struct") && !peek().is_name("union")) return false;
    return peek(1).is("{") || peek(2).is("{") || peek(2).is(";") || is_attribute(peek(1));
  }

  void define(Program &program) {
    if (peek().is_name("enum")) {
      enumeration(program);
    } else if (peek(2).is(";")) {
      take(), take();
    } else {
      if (peek(1).is("{")) throw error(peek(), "a struct that a program defines has a name");
      structure(program);
    }
    accept(";");
  }

 private:
  // Its name.
  std::string enumeration(Program &program) {
    take();
    EnumDefinition made;
    const Token &token = peek();
    made.name = token.is("{") ? "#" + std::to_string(program.enums.size() + 1) : name("an enum");
    if (std::ranges::any_of(program.enums, [&](const EnumDefinition &one) { return one.name == made.name; }))
      throw error(token, "enum " + made.name + " is there twice");
    expect("{", "before the enumerators");
    for (uint64_t value = 0; !accept("}"); value++) {
      const Token &one = peek();
      const std::string enumerator = name("an enumerator");
      if (accept("=")) value = value_of(*expression(), "the value of an enumerator");
      if (!enumerators_.emplace(enumerator, value).second)
        throw error(one, "enumerator " + enumerator + " is there twice");
      made.enumerators.emplace_back(enumerator, value);
      if (!accept(",") && !peek().is("}")) throw error(peek(), "expected ',' or '}' after an enumerator" + found());
    }
    program.enums.push_back(std::move(made));
    return program.enums.back().name;
  }

  // Of what is known while the program is read.
  [[nodiscard]] uint64_t value_of(const Expression &e, const char *what) const {
    const auto part = [&](size_t i) { return value_of(*e.parts[i], what); };
    if (e.kind == Kind::kNumber) return e.number;
    if (e.kind == Kind::kChoice) return part(0) != 0 ? part(1) : part(2);
    if (e.kind == Kind::kUnary && e.text != "*" && e.text != "&") return folded(e.text, part(0));
    if (e.kind == Kind::kBinary && e.text == "?:") return part(0) != 0 ? part(0) : part(1);
    if (e.kind == Kind::kBinary) return folded(e.text, part(0), part(1), true);
    if (e.kind != Kind::kName) throw source_.error(e.at, std::string(what) + " is made of numbers and enumerators");
    if (const auto at = enumerators_.find(e.text); at != enumerators_.end()) return at->second;
    if (const std::optional<uint64_t> value = named_constant(e.text)) return *value;
    throw source_.error(e.at, "no enumerator is called '" + printable(e.text) + "' here");
  }

  // Its name, with "struct " or "union ".
  std::string structure(Program &program) {
    const Depth depth(*this);
    const size_t from = peek().at.from;
    StructDefinition made;
    made.name = take().text + " ";
    made.packed = attributes();
    const Token &token = peek();
    made.name += token.is("{") ? "#" + std::to_string(++unnamed_) : name("a struct");
    expect("{", "before the members");
    while (!accept("}")) members(program, made);
    made.packed = attributes() || made.packed;
    made.at = since(from);
    if (std::ranges::any_of(program.structs, [&](const StructDefinition &one) { return one.name == made.name; }))
      throw error(token, made.name + " is there twice");
    program.structs.push_back(std::move(made));
    return program.structs.back().name;
  }

  void members(Program &program, StructDefinition &of) {
    TypeName type;
    const size_t from = peek().at.from;
    if (!begins_definition()) {
      type = type_name("a member's type");
    } else {
      const bool is_enum = peek().is_name("enum"), is_unnamed = peek(1).is("{");
      type.name = is_enum ? "enum " + enumeration(program) : structure(program);
      if (peek().is(";") && !is_enum && is_unnamed) of.members.push_back({.type = type, .name = {}, .at = since(from)});
      if (accept(";")) return;
    }
    do {
      of.members.push_back(member(type));
      type.pointers = 0;  // int *a, b
      type.counts.clear();
    } while (accept(","));
    if (!peek().is("}")) expect(";", "after a member");  // the last one has none in many programs
  }

  StructDefinition::Member member(const TypeName &type) {
    StructDefinition::Member made = {.type = type, .name = {}, .bits = 0, .at = peek().at};
    while (accept("*")) made.type.pointers++;
    made.at = peek().at;
    made.name = name("a member");
    while (accept("[")) {
      made.type.counts.push_back(peek().is("]") ? 0 : value_of(*expression(), "the number of elements"));
      expect("]", "after the number of elements");
    }
    if (accept(":"))
      made.bits = static_cast<uint32_t>(std::min(value_of(*expression(), "the number of bits"), kMostBits));
    return made;
  }

  static bool is_attribute(const Token &token) { return token.is_name("__attribute__") || token.is_name("__packed"); }

  // True: packed.
  bool attributes() {
    bool packed = false;
    for (; is_attribute(peek()); packed = true) {
      if (take().text == "__packed") continue;
      expect("(", "after __attribute__"), expect("(", "after __attribute__(");
      if (!peek().is_name("packed") && !peek().is_name("__packed__"))
        throw error(peek(), "the attribute of a struct is packed" + found());
      take();
      expect(")", "after packed"), expect(")", "after packed)");
    }
    return packed;
  }

  std::map<std::string, uint64_t> enumerators_;
  unsigned unnamed_ = 0;
};

}  // namespace strata::expr
