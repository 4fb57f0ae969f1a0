// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which rows, or samples: an expression over columns, which are named as --columns names them.
//
//   LATENCY > 10ms && (comm == postgres || path ~ '^/var/lib/')
//
// Comparisons are == != < <= > >= of numbers, == != of texts, and ~ !~ of texts with an extended regular expression of
// POSIX that matches somewhere. A column alone holds if it has a value other than 0, false and "". A comparison with no
// value does not hold, != neither. ! binds closest, && closer than ||.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/regex.h"
#include "model/field.h"

namespace strata {

class Condition {
 public:
  // Throws a usage Error of this option, with the expression and a caret at the place of the mistake.
  Condition(std::string_view option, std::string_view text, Schema columns);

  using ValueOf = std::function<Value(size_t column)>;  // of the Schema
  [[nodiscard]] bool holds(const ValueOf &value_of) const;
  [[nodiscard]] bool holds(const Row &row) const;

 private:
  friend class ConditionParser;
  enum class Op : uint8_t {
    kAnd,
    kOr,
    kNot,
    kPresent,
    kEqual,
    kUnequal,
    kLess,
    kLessEqual,
    kMore,
    kMoreEqual,
    kLike,
    kUnlike
  };
  using Operand = std::variant<std::monostate, Value, std::shared_ptr<const Regex>>;

  // && || ! have the nodes `left` and `right` of the tree, the others the column `left` and what it is compared with.
  struct Node {
    Op op;
    size_t left = 0, right = 0;
    Operand with = {};
  };

  [[nodiscard]] bool holds(const Node &node, const ValueOf &value_of) const;
  [[nodiscard]] static bool holds(const Node &node, const Value &value);  // of a comparison

  std::vector<Node> nodes_;  // the last one is the root
};

}  // namespace strata
