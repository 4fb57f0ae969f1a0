// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/fold.h"

namespace strata::expr {
namespace {

// By 0 the quotient is 0, and the rest the dividend.
uint64_t divided(uint64_t a, uint64_t b, bool modulo, bool is_signed) {
  if (b == 0) return modulo ? a : 0;
  if (!is_signed) return modulo ? a % b : a / b;
  const auto sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  if (sb == -1) return modulo ? 0 : 0 - a;  // of the least number it is none
  return static_cast<uint64_t>(modulo ? sa % sb : sa / sb);
}

}  // namespace

uint64_t folded(std::string_view op, uint64_t value) {
  if (op == "-") return 0 - value;
  return op == "~" ? ~value : static_cast<uint64_t>(value == 0);
}

uint64_t folded(std::string_view op, uint64_t a, uint64_t b, bool is_signed) {
  const auto sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/" || op == "%") return divided(a, b, op == "%", is_signed);
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "<<") return a << (b & 63);  // as the instruction does
  if (op == ">>") return is_signed ? static_cast<uint64_t>(sa >> (b & 63)) : a >> (b & 63);
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return is_signed ? sa < sb : a < b;
  if (op == ">") return is_signed ? sa > sb : a > b;
  if (op == "<=") return is_signed ? sa <= sb : a <= b;
  if (op == ">=") return is_signed ? sa >= sb : a >= b;
  if (op == "&&") return a != 0 && b != 0;
  return a != 0 || b != 0;
}

}  // namespace strata::expr
