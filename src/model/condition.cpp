// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/condition.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "model/column_choice.h"

namespace strata {
namespace {

constexpr size_t kMostDepth = 100;  // of parentheses and !: the tree is walked by recursion

struct Token {
  enum class Kind : uint8_t { kWord, kText, kOperator, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;
  size_t at = 0;
};

constexpr std::string_view kOperators[] = {"&&", "||", "==", "!=", "<=", ">=", "!~", "<", ">", "~", "!", "(", ")"};
constexpr std::string_view kNoWord = " \t\n\"'()!=<>~&|";

// Nanoseconds, bytes, and what else has a size: as the options take it, with KiB for K.
std::optional<Value> number_of(const Field &column, std::string_view text) {
  uint64_t number = 0;
  if (column.unit == Unit::kNs) {
    const bool has_unit = text.find_first_not_of("0123456789.") != std::string_view::npos;
    if (parse_duration_ns(text, number) && (has_unit || number == 0)) return Value(number);
    return std::nullopt;
  }
  if (text.ends_with("iB")) text.remove_suffix(2);
  if (column.unit == Unit::kPercent && text.ends_with('%')) text.remove_suffix(1);
  if (parse_number(text, number)) return Value(number);
  int64_t below_zero = 0;
  double real = 0;
  const char *const end = text.data() + text.size();
  if (const auto [at, error] = std::from_chars(text.data(), end, below_zero); error == std::errc() && at == end)
    return Value(below_zero);
  if (const auto [at, error] = std::from_chars(text.data(), end, real); error == std::errc() && at == end)
    return Value(real);
  return std::nullopt;
}

double real_of(const Value &value) {
  if (const auto *number = std::get_if<uint64_t>(&value)) return static_cast<double>(*number);
  if (const auto *number = std::get_if<int64_t>(&value)) return static_cast<double>(*number);
  if (const auto *flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  const auto *real = std::get_if<double>(&value);
  return real != nullptr ? *real : 0;
}

std::string text_of(const Value &value) {
  const auto *code = std::get_if<LazyText>(&value);
  std::string text = code != nullptr ? code->str() : std::get<std::string>(value);
  std::replace(text.begin(), text.end(), '\0', ' ');  // the words of Unit::kWords
  return text;
}

bool is_integer(const Value &value) {
  return std::holds_alternative<uint64_t>(value) || std::holds_alternative<int64_t>(value);
}

std::partial_ordering compared(const Value &a, const Value &b) {
  if (!is_integer(a) || !is_integer(b)) return real_of(a) <=> real_of(b);
  const auto is_below_zero = [](const Value &value) {
    const auto *number = std::get_if<int64_t>(&value);
    return number != nullptr && *number < 0;
  };
  const auto bits = [](const Value &value) {
    const auto *number = std::get_if<uint64_t>(&value);
    return number != nullptr ? *number : static_cast<uint64_t>(std::get<int64_t>(value));
  };
  if (is_below_zero(a) != is_below_zero(b)) return is_below_zero(b) <=> is_below_zero(a);
  return bits(a) <=> bits(b);  // of two below zero, too
}

bool is_there(const Value &value) {
  if (std::holds_alternative<std::monostate>(value)) return false;
  return is_text(value) ? !text_of(value).empty() : real_of(value) != 0;
}

// What a column holds, as far as that is known before there is a row.
Type type_of(const Field &column) {
  if (column.unit == Unit::kStack || column.unit == Unit::kWords) return Type::kText;
  if (column.decode.write != nullptr || column.kind == Kind::kNone) return column.decode.type;
  return column.kind == Kind::kText ? Type::kText : Type::kInteger;
}

}  // namespace

class ConditionParser {
 public:
  ConditionParser(std::string_view option, std::string_view text, Schema columns)
      : option_(option), text_(text), columns_(columns) {
    advance();
  }

  std::vector<Condition::Node> parse() {
    either();
    if (token_.kind != Token::Kind::kEnd) fail(token_.at, "&& or || is missing");
    return std::move(nodes_);
  }

 private:
  using Node = Condition::Node;
  using Op = Condition::Op;

  [[noreturn]] void fail(size_t at, const std::string &what) const {
    const std::string before = printable(text_.substr(0, at));
    throw usage_error("--" + std::string(option_) + ": " + what + "\n  " + printable(text_) + "\n  " +
                      std::string(cells(before), ' ') + "^");
  }

  void advance() {
    const size_t at = std::min(text_.find_first_not_of(" \t\n", next_), text_.size());
    token_ = {.at = at};
    next_ = at;
    if (at == text_.size()) return;
    const std::string_view rest = text_.substr(at);
    if (rest.front() == '"' || rest.front() == '\'') return take_text(rest.front());
    const auto *found = std::ranges::find_if(kOperators, [&](std::string_view one) { return rest.starts_with(one); });
    if (found != std::end(kOperators)) {
      token_ = {.kind = Token::Kind::kOperator, .text = std::string(*found), .at = at};
    } else {
      token_ = {.kind = Token::Kind::kWord, .text = std::string(rest.substr(0, rest.find_first_of(kNoWord))), .at = at};
      if (token_.text.empty()) fail(at, "not an operator; there are " + join(kOperators, " "));
    }
    next_ = at + token_.text.size();
  }

  // A backslash is itself but before the quote: regular expressions have many.
  void take_text(char quote) {
    token_.kind = Token::Kind::kText;
    for (size_t i = token_.at + 1; i < text_.size(); i++) {
      if (text_[i] == quote) {
        next_ = i + 1;
        return;
      }
      if (text_[i] == '\\' && i + 1 < text_.size() && text_[i + 1] == quote) i++;
      token_.text += text_[i];
    }
    fail(token_.at, "the text has no end");
  }

  bool take(std::string_view op) {
    if (token_.kind != Token::Kind::kOperator || token_.text != op) return false;
    advance();
    return true;
  }

  size_t add(Node node) {
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  size_t either() {
    size_t left = both();
    while (take("||")) left = add({.op = Op::kOr, .left = left, .right = both()});
    return left;
  }

  size_t both() {
    size_t left = one();
    while (take("&&")) left = add({.op = Op::kAnd, .left = left, .right = one()});
    return left;
  }

  size_t one() {
    const size_t at = token_.at;
    if (++depth_ > kMostDepth) fail(at, "too many parentheses");
    size_t node = 0;
    if (take("!")) {
      node = add({.op = Op::kNot, .left = one()});
    } else if (take("(")) {
      node = either();
      if (!take(")")) fail(token_.at, "')' is missing");
    } else {
      node = comparison();
    }
    depth_--;
    return node;
  }

  size_t comparison() {
    if (token_.kind != Token::Kind::kWord) fail(token_.at, "a column is missing");
    const size_t at = token_.at;
    const size_t column = column_of(token_);
    advance();
    constexpr std::pair<std::string_view, Op> kComparisons[] = {
        {"==", Op::kEqual}, {"!=", Op::kUnequal},   {"<", Op::kLess}, {"<=", Op::kLessEqual},
        {">", Op::kMore},   {">=", Op::kMoreEqual}, {"~", Op::kLike}, {"!~", Op::kUnlike}};
    const auto *found = std::ranges::find_if(kComparisons, [this](const auto &comparison) {
      return token_.kind == Token::Kind::kOperator && token_.text == comparison.first;
    });
    if (found == std::end(kComparisons)) return add({.op = Op::kPresent, .left = column});
    const Token op = token_;
    advance();
    if (columns_[column].unit == Unit::kWallNs)
      fail(at, "a time of day is not compared: strata replay has --from and --to");
    if (token_.kind != Token::Kind::kWord && token_.kind != Token::Kind::kText)
      fail(token_.at, "what " + op.text + " compares with is missing");
    Condition::Operand with = operand(columns_[column], op, found->second);
    advance();
    return add({.op = found->second, .left = column, .with = std::move(with)});
  }

  size_t column_of(const Token &token) const {
    try {
      return column_named(columns_, option_, token.text);
    } catch (const Error &error) {
      const std::string_view what = error.what();
      fail(token.at, std::string(what.substr(what.find(": ") + 2)));
    }
  }

  Condition::Operand operand(const Field &column, const Token &op, Op kind) const {
    const Type type = type_of(column);
    const bool as_text = type == Type::kText || (type == Type::kAny && token_.kind == Token::Kind::kText) ||
                         (type == Type::kAny && !number_of(column, token_.text));
    const std::string key(column.key);
    if (kind == Op::kLike || kind == Op::kUnlike) {
      if (type != Type::kText && type != Type::kAny) fail(op.at, key + " is no text: " + op.text + " is for texts");
      try {
        return std::make_shared<const Regex>(token_.text);
      } catch (const Error &error) {
        fail(token_.at, error.what());
      }
    }
    if (type == Type::kFlag) {
      if (kind != Op::kEqual && kind != Op::kUnequal) fail(op.at, key + " is true or false");
      if (token_.text != "true" && token_.text != "false") fail(token_.at, key + " is true or false");
      return Value(token_.text == "true");
    }
    if (as_text) {
      if (kind != Op::kEqual && kind != Op::kUnequal)
        fail(op.at,
             key + (type == Type::kText ? " is a text" : ": not a number behind it") + ": texts have == != ~ !~");
      return Value(token_.text);
    }
    const std::optional<Value> number = number_of(column, token_.text);
    if (!number && column.unit == Unit::kNs) fail(token_.at, key + " is a time, with its unit: 50us, 10ms, 2s");
    if (!number) fail(token_.at, key + " is a number");
    return *number;
  }

  std::string_view option_, text_;
  Schema columns_;
  std::vector<Node> nodes_;
  Token token_;
  size_t next_ = 0;
  size_t depth_ = 0;
};

Condition::Condition(std::string_view option, std::string_view text, Schema columns)
    : nodes_(ConditionParser(option, text, columns).parse()) {}

bool Condition::holds(const ValueOf &value_of) const { return holds(nodes_.back(), value_of); }

bool Condition::holds(const Row &row) const {
  return holds([&row](size_t column) { return row[column]; });
}

bool Condition::holds(const Node &node, const ValueOf &value_of) const {
  switch (node.op) {
    case Op::kAnd:
      return holds(nodes_[node.left], value_of) && holds(nodes_[node.right], value_of);
    case Op::kOr:
      return holds(nodes_[node.left], value_of) || holds(nodes_[node.right], value_of);
    case Op::kNot:
      return !holds(nodes_[node.left], value_of);
    case Op::kPresent:
      return is_there(value_of(node.left));
    default:
      return holds(node, value_of(node.left));
  }
}

// A column may have texts in some rows and numbers in others ("return"): the two are not equal, and nothing else.
bool Condition::holds(const Node &node, const Value &value) {
  if (std::holds_alternative<std::monostate>(value)) return false;
  if (const auto *regex = std::get_if<std::shared_ptr<const Regex>>(&node.with)) {
    const bool matches = is_text(value) && (*regex)->matches(text_of(value));
    return matches == (node.op == Op::kLike);
  }
  const Value &with = std::get<Value>(node.with);
  std::partial_ordering order = std::partial_ordering::unordered;
  if (is_text(value) && is_text(with)) order = text_of(value) <=> text_of(with);
  if (!is_text(value) && !is_text(with)) order = compared(value, with);
  switch (node.op) {
    case Op::kEqual:
      return order == 0;
    case Op::kUnequal:
      return order != 0;
    case Op::kLess:
      return order < 0;
    case Op::kLessEqual:
      return order <= 0;
    case Op::kMore:
      return order > 0;
    default:
      return order >= 0;
  }
}

}  // namespace strata
