// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The tokens of a program, one after the other, and what a tree is made of: what all of its parser stands on.
#pragma once

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "expr/ast.h"
#include "expr/lexer.h"
#include "expr/preprocessor.h"
#include "expr/source.h"

namespace strata::expr {

// Deeper trees could not be walked on any stack.
inline constexpr unsigned kMostDepth = 200;

class TokenParser {
 protected:
  using Kind = Expression::Kind;

  ~TokenParser() = default;
  TokenParser(const Source &source, std::span<const std::string> parameters)
      : source_(source), parameters_(parameters), tokens_(preprocessed(source, tokens_of(source))) {}

  [[nodiscard]] const Token &peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token &take() { return tokens_[at_ < tokens_.size() - 1 ? at_++ : at_]; }
  [[nodiscard]] Error error(const Token &token, const std::string &what) const { return source_.error(token.at, what); }

  bool accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    take();
    return true;
  }
  const Token &expect(std::string_view symbol, const char *where) {
    if (!peek().is(symbol)) throw error(peek(), "expected '" + std::string(symbol) + "' " + where + found());
    return take();
  }
  std::string name(const char *of_what) {
    if (peek().kind != Token::Kind::kName)
      throw error(peek(), std::string("expected the name of ") + of_what + found());
    return take().text;
  }
  [[nodiscard]] std::string found() const {
    return peek().kind == Token::Kind::kEnd ? ", not the end of the program"
                                            : ", not '" + printable(source_.at(peek().at)) + "'";
  }
  [[nodiscard]] Span since(size_t from) const { return {from, tokens_[at_ == 0 ? 0 : at_ - 1].at.to}; }

  uint64_t constant(const char *what) {
    if (peek().kind != Token::Kind::kNumber) throw error(peek(), std::string("expected ") + what + found());
    return take().number;
  }

  struct Depth {
    explicit Depth(TokenParser &parser) : parser_(parser) {
      if (++parser.depth_ > kMostDepth) throw parser.error(parser.peek(), "this is nested too deeply");
    }
    Depth(const Depth &) = delete;
    Depth &operator=(const Depth &) = delete;
    ~Depth() { parser_.depth_--; }
    TokenParser &parser_;
  };

  ExpressionPtr make(Kind kind, size_t from, std::string text = {}) const {
    auto made = std::make_unique<Expression>();
    made->kind = kind;
    made->at = since(from);
    made->text = std::move(text);
    return made;
  }

  template <typename... Parts>
  ExpressionPtr make_of(Kind kind, std::string text, ExpressionPtr first, Parts... rest) const {
    const size_t from = first->at.from;
    ExpressionPtr made = make(kind, from, std::move(text));
    made->parts.push_back(std::move(first));
    (made->parts.push_back(std::move(rest)), ...);
    return made;
  }

  [[nodiscard]] std::string text_of_parameter(const std::string &which) const {
    size_t index = 0;
    std::from_chars(which.data(), which.data() + which.size(), index);
    return index == 0 || index > parameters_.size() ? "" : parameters_[index - 1];
  }

  // As strtoull(3) has them: 0775 and 0x1fd are 509.
  static std::optional<uint64_t> number_of_parameter(std::string_view text) {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    if (is_hex) text.remove_prefix(2);
    const int base = is_hex ? 16 : text.starts_with('0') ? 8 : 10;
    uint64_t value = 0;
    const auto [stopped, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (fault != std::errc() || stopped != text.data() + text.size()) return std::nullopt;
    return value;
  }

  const Source &source_;
  const std::span<const std::string> parameters_;
  const std::vector<Token> tokens_;
  size_t at_ = 0;
  unsigned depth_ = 0;
};

}  // namespace strata::expr
