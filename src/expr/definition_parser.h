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

class DefinitionParser : protected ExpressionParser {
 protected:
  using ExpressionParser::ExpressionParser;
  ~DefinitionParser() = default;

  [[nodiscard]] bool begins_definition() const {
    if (peek().is_name("enum")) return true;
    return (peek().is_name("struct") || peek().is_name("union")) && peek(2).is("{");
  }

  void define(Program &program) {
    if (peek().is_name("enum"))
      enumeration(program);
    else
      program.structs.push_back(definition());
    accept(";");
  }

 private:
  void enumeration(Program &program) {
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

  StructDefinition definition() {
    const size_t from = peek().at.from;
    StructDefinition made;
    made.name = take().text + " ";
    made.name += name("a struct");
    expect("{", "before the members");
    while (!accept("}")) {
      const TypeName base = type_name("a member's type");
      do {
        StructDefinition::Member member = {.type = base, .name = {}, .bits = 0, .at = peek().at};
        while (accept("*")) member.type.pointers++;
        member.name = name("a member");
        while (accept("[")) {
          member.type.counts.push_back(constant("the number of elements"));
          expect("]", "after the number of elements");
        }
        if (accept(":")) member.bits = static_cast<uint32_t>(constant("the number of bits"));
        made.members.push_back(std::move(member));
      } while (accept(","));
      expect(";", "after a member");
    }
    made.at = since(from);
    return made;
  }

  std::map<std::string, uint64_t> enumerators_;
};

}  // namespace strata::expr
