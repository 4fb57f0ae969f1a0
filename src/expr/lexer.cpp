// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace strata::expr {
namespace {

// Longer ones first.
constexpr std::array<std::string_view, 37> kSymbols = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=",  "|=",  "^=",  "..", "?:", "(",  ")",  "{",  "}",  "[",  "]",  ",",  ";",  ":",  ".",  "?",  "=",  "#"};
constexpr std::string_view kOperators = "+-*/%&|^~!<>";

struct Unit {
  std::string_view name;
  uint64_t factor;
  bool duration;
};
constexpr Unit kUnits[] = {{"ns", 1, true},
                           {"us", 1'000, true},
                           {"ms", 1'000'000, true},
                           {"s", 1'000'000'000, true},
                           {"m", 60'000'000'000, true},
                           {"h", 3'600'000'000'000, true},
                           {"d", 86'400'000'000'000, true}};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(const Source &source) : source_(source), text_(source.text()) {}

  std::vector<Token> all() {
    if (text_.starts_with("#!")) skip_line();
    std::vector<Token> tokens;
    do {
      tokens.push_back(next());
    } while (tokens.back().kind != Token::Kind::kEnd);
    return tokens;
  }

 private:
  [[nodiscard]] char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void skip_comment() {
    const size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) throw source_.error({at_, at_ + 2}, "this comment has no end");
    at_ = end + 2;
  }

  // A \ at the end of a line makes one of it and the next.
  [[nodiscard]] size_t continuation() const {
    if (peek() != '\\') return 0;
    return peek(1) == '\n' ? 2 : peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }

  bool skip_blanks() {
    const size_t from = at_;
    while (at_ < text_.size()) {
      if (peek() == '\n') begins_line_ = true;
      if (std::isspace(static_cast<unsigned char>(peek())) != 0)
        at_++;
      else if (const size_t bytes = continuation(); bytes > 0)
        at_ += bytes;
      else if (peek() == '/' && peek(1) == '/')
        skip_line();
      else if (peek() == '/' && peek(1) == '*')
        skip_comment();
      else
        break;
    }
    return at_ > from;
  }

  Token next() {
    Token token;
    token.spaced = skip_blanks();
    token.begins_line = std::exchange(begins_line_, false);
    token.at.from = at_;
    if (at_ < text_.size()) read(token);
    token.at.to = at_;
    return token;
  }

  void read(Token &token) {
    const char c = peek();
    if (is_digit(c)) return read_number(token);
    if (c == '"') return read_string(token);
    if (c == '\'') return read_character(token);
    if (is_word(c)) return read_name(token);
    if (c == '@') return read_word(token, Token::Kind::kMap, 1);
    if (c == '$' && (is_digit(peek(1)) || peek(1) == '#')) return read_parameter(token);
    if (c == '$' && is_word(peek(1))) return read_word(token, Token::Kind::kVariable, 1);
    read_symbol(token);
  }

  // __builtin_pid is what bpftrace's own library makes pid of.
  void read_name(Token &token) {
    constexpr std::string_view kPrefix = "__builtin_";
    read_word(token, Token::Kind::kName, 0);
    if (token.text.starts_with(kPrefix)) token.text.erase(0, kPrefix.size());
  }

  void read_word(Token &token, Token::Kind kind, size_t sigil) {
    const size_t from = at_ += sigil;
    while (is_word(peek())) at_++;
    token.kind = kind;
    token.text = text_.substr(from, at_ - from);
  }

  void read_parameter(Token &token) {
    token.kind = Token::Kind::kParameter;
    const size_t from = ++at_;
    if (peek() == '#')
      at_++;
    else
      while (is_digit(peek())) at_++;
    token.text = text_.substr(from, at_ - from);
  }

  void read_symbol(Token &token) {
    token.kind = Token::Kind::kSymbol;
    for (const std::string_view symbol : kSymbols)
      if (text_.substr(at_).starts_with(symbol)) return take_symbol(token, symbol.size());
    if (kOperators.find(peek()) != std::string_view::npos) return take_symbol(token, 1);
    throw source_.error({at_, at_ + 1}, "'" + printable(text_.substr(at_, 1)) + "' begins nothing that is known here");
  }

  void take_symbol(Token &token, size_t size) {
    token.text = text_.substr(at_, size);
    at_ += size;
  }

  // Digits may be grouped by _; 1e6 is one, and a unit of time makes nanoseconds of it.
  void read_number(Token &token) {
    const size_t from = at_;
    while (is_word(peek())) at_++;
    std::string digits(text_.substr(from, at_ - from));
    std::erase(digits, '_');
    token.kind = Token::Kind::kNumber;
    token.text = digits;
    if (!number_of(digits, token)) throw source_.error({from, at_}, "not a number: '" + printable(digits) + "'");
  }

  static bool exact(std::string_view digits, int base, uint64_t &number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    return error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  }

  static bool number_of(const std::string &text, Token &token) {
    std::string digits = text;
    if (digits.starts_with("0x") || digits.starts_with("0X"))
      return exact(without_suffix(std::string_view(digits).substr(2)), 16, token.number);
    if (digits.starts_with("0b") || digits.starts_with("0B"))
      return exact(std::string_view(digits).substr(2), 2, token.number);
    const size_t letters = digits.find_first_not_of("0123456789");
    const std::string_view head = std::string_view(digits).substr(0, letters);
    const std::string_view rest = letters == std::string::npos ? "" : std::string_view(digits).substr(letters);
    const bool octal = head.size() > 1 && head[0] == '0';
    if (!exact(head, octal ? 8 : 10, token.number)) return false;
    if (without_suffix(rest).empty()) return true;
    if (rest[0] == 'e' || rest[0] == 'E') return apply_exponent(rest.substr(1), token.number);
    for (const Unit &unit : kUnits)
      if (rest == unit.name) {
        token.duration = unit.duration;
        return !__builtin_mul_overflow(token.number, unit.factor, &token.number);
      }
    return false;
  }

  // C's: 1UL
  static std::string_view without_suffix(std::string_view digits) {
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
      digits.remove_suffix(1);
    return digits;
  }

  static bool apply_exponent(std::string_view digits, uint64_t &number) {
    uint64_t exponent = 0;
    if (!exact(digits, 10, exponent) || exponent > 19) return false;
    for (; exponent > 0; exponent--)
      if (__builtin_mul_overflow(number, uint64_t{10}, &number)) return false;
    return true;
  }

  void read_character(Token &token) {
    at_++;
    token.kind = Token::Kind::kNumber;
    const std::string one = peek() == '\\' ? escaped() : std::string(1, text_[at_++]);
    token.number = static_cast<unsigned char>(one[0]);
    if (peek() != '\'') throw source_.error({token.at.from, at_}, "a character has one letter between two '");
    at_++;
  }

  void read_string(Token &token) {
    token.kind = Token::Kind::kString;
    at_++;
    while (peek() != '"') {
      if (at_ >= text_.size()) throw source_.error({token.at.from, token.at.from + 1}, "this string has no end");
      if (peek() == '\\')
        token.text += escaped();
      else
        token.text += text_[at_++];
    }
    at_++;
  }

  std::string escaped() {
    const size_t from = at_;
    const char c = peek(1);
    at_ += 2;
    constexpr std::string_view kLetters = "ntrab\"\\'e", kMeant = "\n\t\r\a\b\"\\'\x1b";
    if (c >= '0' && c <= '7') return number_escape(1, 8, 3);
    if (c == 'x') return number_escape(0, 16, 2);
    const size_t which = kLetters.find(c);
    if (which == std::string_view::npos || at_ > text_.size())
      throw source_.error({from, from + 2}, "unknown escape sequence; there are \\n \\t \\r \\\" \\\\ \\xFF \\033");
    return std::string(1, kMeant[which]);
  }

  // The digits end where there is no other, or where there are so many.
  std::string number_escape(size_t back, int base, size_t most) {
    at_ -= back;
    unsigned value = 0;
    const size_t room = std::min(most, text_.size() - std::min(at_, text_.size()));
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + at_ + room, value, base);
    if (error != std::errc() || value > 255) throw source_.error({at_, at_ + 1}, "not the number of a character");
    at_ = static_cast<size_t>(end - text_.data());
    return std::string(1, static_cast<char>(value));
  }

  const Source &source_;
  const std::string_view text_;
  size_t at_ = 0;
  bool begins_line_ = true;
};

}  // namespace

std::vector<Token> tokens_of(const Source &source) { return Lexer(source).all(); }

}  // namespace strata::expr
