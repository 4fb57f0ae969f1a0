// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Values, from tokens to trees: what statements, predicates and attach points of a program are parsed with.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "expr/ast.h"
#include "expr/lexer.h"
#include "expr/token_parser.h"

namespace strata::expr {

// C's.
struct Operator {
  std::string_view text;
  int strength;
};
inline constexpr Operator kBinary[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                       {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                       {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
inline const std::set<std::string_view> kTypeWords = {
    "bool",    "char",     "short",    "int",      "long",    "unsigned", "signed", "void",    "int8",    "int16",
    "int32",   "int64",    "uint8",    "uint16",   "uint32",  "uint64",   "int8_t", "int16_t", "int32_t", "int64_t",
    "uint8_t", "uint16_t", "uint32_t", "uint64_t", "u8",      "u16",      "u32",    "u64",     "s8",      "s16",
    "s32",     "s64",      "size_t",   "pid_t",    "string",  "struct",   "union",  "enum",    "dev_t",   "__u32",
    "__u64",   "__u16",    "__u8",     "uid_t",    "umode_t", "loff_t",   "ssize_t"};

class ExpressionParser : protected TokenParser {
 protected:
  using TokenParser::TokenParser;
  ~ExpressionParser() = default;

  ExpressionPtr expression() {
    const Depth depth(*this);
    ExpressionPtr left = binary(0);
    if (accept("?:")) {
      ExpressionPtr right = expression();
      return make_of(Kind::kBinary, "?:", std::move(left), std::move(right));
    }
    if (!accept("?")) return left;
    ExpressionPtr yes = expression();
    expect(":", "between the two values of ?:");
    ExpressionPtr no = expression();
    return make_of(Kind::kChoice, "", std::move(left), std::move(yes), std::move(no));
  }

  [[nodiscard]] int strength_of_next() const {
    if (in_predicate_ && parentheses_ == 0 && peek().is("/") && ends_predicate()) return 0;
    for (const Operator &one : kBinary)
      if (peek().is(one.text)) return one.strength;
    return 0;
  }
  // A division has a value behind it, a predicate its block.
  [[nodiscard]] bool ends_predicate() const { return peek(1).is("{"); }

  ExpressionPtr binary(int weakest) {
    const Depth depth(*this);
    ExpressionPtr left = unary();
    while (true) {
      const int strength = strength_of_next();
      if (strength <= weakest) return left;
      const std::string symbol = take().text;
      ExpressionPtr right = binary(strength);
      left = make_of(Kind::kBinary, symbol, std::move(left), std::move(right));
    }
  }

  ExpressionPtr unary() {
    const Depth depth(*this);
    const size_t from = peek().at.from;
    for (const std::string_view symbol : {"!", "~", "-", "*", "&", "+"})
      if (peek().is(symbol)) {
        take();
        ExpressionPtr value = unary();
        if (symbol == "+") return value;
        ExpressionPtr made = make(Kind::kUnary, from, std::string(symbol));
        made->parts.push_back(std::move(value));
        return made;
      }
    if (peek().is("++") || peek().is("--")) {
      const std::string symbol = take().text;
      ExpressionPtr value = unary();
      ExpressionPtr made = make(Kind::kStep, from, symbol);
      made->parts.push_back(std::move(value));
      return made;
    }
    if (peek().is("(") && begins_type(1)) return cast();
    return postfix(primary());
  }

  // A name is a type where it is one of C's, or a * and then ) follow it.
  [[nodiscard]] bool begins_type(size_t ahead) const {
    const Token &token = peek(ahead);
    if (token.kind != Token::Kind::kName) return false;
    if (kTypeWords.contains(token.text) || (token.text == "typeof" && peek(ahead + 1).is("("))) return true;
    size_t end = ahead + 1;
    while (peek(end).is("*")) end++;
    return end > ahead + 1 && peek(end).is(")");
  }

  ExpressionPtr cast() {
    const size_t from = take().at.from;
    TypeName type = type_name("a type");
    expect(")", "after the type of a cast");
    ExpressionPtr value = unary();
    ExpressionPtr made = make(Kind::kCast, from);
    made->type_name = std::move(type);
    made->parts.push_back(std::move(value));
    return made;
  }

  TypeName type_name(const char *what) {
    TypeName type;
    if (peek().kind != Token::Kind::kName) throw error(peek(), std::string("expected ") + what + found());
    while (peek().is_name("const") || peek().is_name("volatile")) take();
    if (peek().is_name("typeof") && peek(1).is("(")) return type_of_value();
    type.name = take().text;
    if (type.name == "struct" || type.name == "union" || type.name == "enum") type.name += " " + name(what);
    while (peek().kind == Token::Kind::kName && kTypeWords.contains(peek().text) &&
           kTypeWords.contains(type.name.substr(0, type.name.find(' '))))
      type.name += " " + take().text;
    while (accept("*")) type.pointers++;
    while (peek().is("[") && !peek().spaced) {
      take();
      type.counts.push_back(peek().is("]") ? 0 : constant("the number of elements"));
      expect("]", "after the number of elements");
    }
    return type;
  }

  TypeName type_of_value() {
    const Depth depth(*this);
    take(), take();
    TypeName type;
    if (begins_type(0))
      type = type_name("a type");
    else
      type.of = expression();
    expect(")", "at the end of typeof");
    while (accept("*")) type.pointers++;
    return type;
  }

  ExpressionPtr postfix(ExpressionPtr value) {
    while (true) {
      if (peek().is("->") || (peek().is(".") && !is_method(*value))) {
        take();
        const Token &field = peek();
        if (field.kind != Token::Kind::kName && field.kind != Token::Kind::kNumber)
          throw error(field, "expected the name of a field" + found());
        take();
        value = make_of(Kind::kField, field.text, std::move(value));
      } else if (peek().is("[")) {
        take();
        ExpressionPtr index = expression();
        expect("]", "after an index");
        value = make_of(Kind::kIndex, "", std::move(value), std::move(index));
      } else if (peek().is("++") || peek().is("--")) {
        value = make_of(Kind::kStep, take().text, std::move(value));
        value->number = 1;
      } else {
        return value;
      }
    }
  }

  [[nodiscard]] bool is_method(const Expression &value) const {
    return value.kind == Kind::kMap && peek(1).kind == Token::Kind::kName && peek(2).is("(");
  }

  // Of an if with an else at the end of a block that is a value.
  void become_value(Statement &last) const {
    if (last.kind != Statement::Kind::kIf || last.otherwise.empty()) return;
    ExpressionPtr made = make(Kind::kChoice, last.at.from);
    made->at = last.at;
    made->parts.push_back(std::move(last.value));
    for (Block *branch : {&last.body, &last.otherwise}) {
      ExpressionPtr block = make(Kind::kBlock, last.at.from);
      block->at = last.at;
      block->body = std::move(*branch);
      if (!block->body.empty()) become_value(block->body.back());
      if (block->body.empty() || block->body.back().kind != Statement::Kind::kExpression)
        throw source_.error(last.at, "a branch of this if has no value: its last statement is none");
      made->parts.push_back(std::move(block));
    }
    last = {.kind = Statement::Kind::kExpression, .at = made->at, .text = {}};
    last.value = std::move(made);
  }

  // if (x) { 1 } else { 2 }, as the x ? 1 : 2 of two blocks.
  ExpressionPtr if_value() {
    const Depth depth(*this);
    const size_t from = take().at.from;
    expect("(", "after if");
    parentheses_++;
    ExpressionPtr condition = expression();
    parentheses_--;
    expect(")", "after the condition");
    ExpressionPtr yes = block_value();
    if (!peek().is_name("else")) throw error(peek(), "an if that is a value has an else" + found());
    take();
    ExpressionPtr no = peek().is_name("if") ? if_value() : block_value();
    ExpressionPtr made = make(Kind::kChoice, from);
    made->parts.push_back(std::move(condition));
    made->parts.push_back(std::move(yes));
    made->parts.push_back(std::move(no));
    return made;
  }

  ExpressionPtr primary() {
    const Token &token = peek();
    const size_t from = token.at.from;
    if (token.is_name("if")) return if_value();
    switch (token.kind) {
      case Token::Kind::kNumber:
        take();
        return number(from, token.number);
      case Token::Kind::kString:
        take();
        return make(Kind::kString, from, token.text);
      case Token::Kind::kVariable:
        take();
        return make(Kind::kVariable, from, token.text);
      case Token::Kind::kParameter:
        return parameter();
      case Token::Kind::kMap:
        return map();
      case Token::Kind::kName:
        return named();
      default:
        break;
    }
    if (peek().is("(")) return parenthesis();
    if (peek().is("{")) return block_value();
    throw error(token, "expected a value" + found());
  }

  virtual Block block(const char *where) = 0;
  ExpressionPtr block_value() {
    const Depth depth(*this);
    const size_t from = peek().at.from;
    const unsigned outside = std::exchange(parentheses_, 0);
    const bool before = std::exchange(in_str_, false), predicate = std::exchange(in_predicate_, false);
    Block body = block("that is a value");
    parentheses_ = outside, in_str_ = before, in_predicate_ = predicate;
    ExpressionPtr made = make(Kind::kBlock, from);
    made->body = std::move(body);
    if (!made->body.empty()) become_value(made->body.back());
    if (made->body.empty() || made->body.back().kind != Statement::Kind::kExpression)
      throw source_.error(made->at, "this block has no value: its last statement is none");
    return made;
  }

  ExpressionPtr number(size_t from, uint64_t value) const {
    ExpressionPtr made = make(Kind::kNumber, from);
    made->number = value;
    return made;
  }

  // A number if it is one; else, and within str(), a string.
  ExpressionPtr parameter() {
    const Token &token = take();
    const size_t from = token.at.from;
    if (token.text == "#") return number(from, parameters_.size());
    const std::string text = text_of_parameter(token.text);
    const std::optional<uint64_t> value = text.empty() ? 0 : number_of_parameter(text);
    ExpressionPtr made = make(value && !in_str_ ? Kind::kNumber : Kind::kString, from, text);
    made->number = value.value_or(0);
    return made;
  }

  ExpressionPtr map() {
    const Token &token = take();
    ExpressionPtr made = make(Kind::kMap, token.at.from, token.text);
    if (peek().is("[")) {
      take();
      made->parts = list("]", "after the key of a map");
      if (made->parts.empty()) throw error(peek(), "a map's key is empty");
    }
    made->at = since(token.at.from);
    return made;
  }

  std::vector<ExpressionPtr> list(std::string_view end, const char *where) {
    std::vector<ExpressionPtr> values;
    parentheses_++;
    while (!peek().is(end)) {
      values.push_back(expression());
      if (!accept(",")) break;
    }
    parentheses_--;
    expect(end, where);
    return values;
  }

  // (x=1, y="a"), whose values have names.
  ExpressionPtr record(size_t from) {
    std::vector<std::string> names;
    std::vector<ExpressionPtr> values;
    parentheses_++;
    while (!peek().is(")")) {
      const Token &token = peek();
      names.push_back(name("a value of a record"));
      if (std::ranges::find(names, names.back()) != names.end() - 1)
        throw error(token, "the record has two values called '" + names.back() + "'");
      expect("=", "after the name of a value");
      values.push_back(expression());
      if (!accept(",")) break;
    }
    parentheses_--;
    expect(")", "at the end of the record");
    ExpressionPtr made = make(Kind::kTuple, from);
    made->names = std::move(names);
    made->parts = std::move(values);
    return made;
  }

  ExpressionPtr parenthesis() {
    const size_t from = take().at.from;
    if (peek().kind == Token::Kind::kName && peek(1).is("=")) return record(from);
    const bool before = std::exchange(in_str_, false);
    std::vector<ExpressionPtr> values = list(")", "after an expression");
    in_str_ = before;
    const bool tuple = values.size() != 1 || tokens_[at_ - 2].is(",");
    if (!tuple) {
      values[0]->at = since(from);
      return std::move(values[0]);
    }
    ExpressionPtr made = make(Kind::kTuple, from);
    made->parts = std::move(values);
    return made;
  }

  ExpressionPtr named() {
    const Token &token = take();
    const size_t from = token.at.from;
    if (token.text == "sizeof") return size_of(from);
    if (token.text == "offsetof") return offset_of(from);
    if (token.text == "container_of" && accept("(")) return container_of(from);
    if (token.text == "true" || token.text == "false") {
      ExpressionPtr made = number(from, token.text == "true" ? 1 : 0);
      made->text = token.text;
      return made;
    }
    if (!peek().is("(")) return make(Kind::kName, from, token.text);
    take();
    const bool before = std::exchange(in_str_, token.text == "str");
    ExpressionPtr made = make(Kind::kCall, from, token.text);
    made->parts = list(")", "at the end of the call");
    in_str_ = before;
    made->at = since(from);
    return made;
  }

  // What sizeof() and offsetof() are of: a type, or a value.
  ExpressionPtr type_or_value(Kind kind, size_t from) {
    expect("(", "before a type or a value");
    ExpressionPtr made = make(kind, from);
    if (begins_type(0))
      made->type_name = type_name("a type");
    else
      made->parts.push_back(expression());
    return made;
  }

  ExpressionPtr size_of(size_t from) {
    ExpressionPtr made = type_or_value(Kind::kSize, from);
    expect(")", "at the end of sizeof");
    made->at = since(from);
    return made;
  }

  ExpressionPtr offset_of(size_t from) {
    ExpressionPtr made = type_or_value(Kind::kOffset, from);
    expect(",", "before the field of offsetof");
    made->text = name("a field");
    while (accept(".")) made->text += "." + name("a field");
    expect(")", "at the end of offsetof");
    made->at = since(from);
    return made;
  }

  // container_of(pointer, struct x, member): (struct x *)((uint8 *)pointer - offsetof(struct x, member))
  ExpressionPtr container_of(size_t from) {
    ExpressionPtr bytes = make(Kind::kCast, from);
    bytes->type_name = {.name = "uint8", .pointers = 1, .counts = {}};
    bytes->parts.push_back(expression());
    expect(",", "behind the pointer of container_of");
    ExpressionPtr offset = make(Kind::kOffset, from), made = make(Kind::kCast, from);
    offset->type_name = made->type_name = type_name("the struct that it is in");
    made->type_name.pointers++;
    expect(",", "before the member of container_of");
    offset->text = name("a member");
    while (accept(".")) offset->text += "." + name("a member");
    expect(")", "at the end of container_of");
    made->at = bytes->at = offset->at = since(from);
    made->parts.push_back(make_of(Kind::kBinary, "-", std::move(bytes), std::move(offset)));
    return made;
  }

  unsigned parentheses_ = 0;
  bool in_predicate_ = false, in_str_ = false;
};

}  // namespace strata::expr
