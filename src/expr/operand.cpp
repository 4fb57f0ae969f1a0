// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/operand.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <string>

namespace strata::expr {
namespace {

template <typename Number>
bool take_number(std::string_view &text, Number &number) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const bool negative = digits.starts_with('-');
  const bool hex = digits.substr(negative ? 1 : 0).starts_with("0x");
  if (hex) digits.remove_prefix(negative ? 3 : 2);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, hex ? 16 : 10);
  if (error != std::errc()) return false;
  if (hex && negative) number = static_cast<Number>(-number);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

int offset_in(std::span<const RegisterName> registers, std::string_view name) {
  const auto found = std::ranges::find(registers, name, &RegisterName::name);
  return found == registers.end() ? -1 : found->offset;
}

namespace x86 {

int offset_of(std::string_view name) { return offset_in(kX86Registers, name); }

// %rax, %eax, %ax, %al and %ah are parts of ax, as %r8, %r8d, %r8w and %r8b are of r8. -1: none.
int register_of(std::string_view name, bool &high) {
  high = false;
  if (!name.starts_with('%')) return -1;
  name.remove_prefix(1);
  if (name.size() < 2) return -1;
  if (name[0] == 'r' && name[1] >= '0' && name[1] <= '9') {
    if (name.find_last_of("dwb") == name.size() - 1) name.remove_suffix(1);
    return offset_of(name);
  }
  if (name[0] == 'r' || name[0] == 'e') name.remove_prefix(1);
  if (name.size() == 3 && name.back() == 'l') name.remove_suffix(1);  // %sil
  if (name.size() == 2 && (name.back() == 'l' || name.back() == 'h')) {
    high = name.back() == 'h';
    const char letters[] = {name.front(), 'x'};
    return offset_of({letters, 2});
  }
  return offset_of(name);
}

// (base), disp(base,index,scale), (,index,scale)
bool take_memory(std::string_view text, Operand &operand) {
  operand.kind = Operand::Kind::kMemory;
  if (!text.starts_with('(') && !take_number(text, operand.value)) return false;
  if (!text.starts_with('(') || !text.ends_with(')')) return false;
  text = text.substr(1, text.size() - 2);
  bool high = false;
  const size_t comma = text.find(',');
  operand.base = register_of(text.substr(0, comma), high);
  if (comma == std::string_view::npos) return operand.base >= 0;
  text.remove_prefix(comma + 1);
  const size_t second = text.find(',');
  operand.index = register_of(text.substr(0, second), high);
  if (second != std::string_view::npos) {
    text.remove_prefix(second + 1);
    if (!take_number(text, operand.scale) || !text.empty()) return false;
  }
  return operand.base >= 0 && operand.index >= 0;
}

bool take_place(std::string_view text, Operand &operand) {
  if (text.starts_with('$')) {
    text.remove_prefix(1);
    return take_number(text, operand.value) && text.empty();
  }
  if (!text.starts_with('%')) return take_memory(text, operand);
  operand.kind = Operand::Kind::kRegister;
  operand.base = register_of(text, operand.high);
  return operand.base >= 0;
}

}  // namespace x86

namespace arm64 {

// x0 and w0 are r0. -1: none.
int register_of(std::string_view name) {
  const std::string known =
      name.size() < 2 || (name[0] != 'x' && name[0] != 'w') ? "" : "r" + std::string(name.substr(1));
  return name == "sp" ? offset_in(kArm64Registers, name) : offset_in(kArm64Registers, known);
}

// 16, #16
bool take_constant(std::string_view &text, int64_t &number) {
  if (text.starts_with('#')) text.remove_prefix(1);
  return take_number(text, number);
}

// [sp], [sp, 16], [x0, x1], [x0, x1, lsl 3]
bool take_memory(std::string_view text, Operand &operand) {
  operand.kind = Operand::Kind::kMemory;
  if (!text.ends_with(']')) return false;
  text = text.substr(1, text.size() - 2);
  const auto next = [&] {
    const size_t comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    while (text.starts_with(' ')) text.remove_prefix(1);
    return one;
  };
  operand.base = register_of(next());
  if (operand.base < 0) return false;
  if (text.empty()) return true;
  std::string_view second = next();
  if (take_constant(second, operand.value)) return second.empty() && text.empty();
  operand.index = register_of(second);
  if (operand.index < 0 || text.empty()) return operand.index >= 0;
  int64_t shift = 0;
  if (!text.starts_with("lsl ")) return false;
  text.remove_prefix(strlen("lsl "));
  if (!take_constant(text, shift) || shift < 0 || shift > 4) return false;
  operand.scale = 1 << shift;
  return text.empty();
}

bool take_place(std::string_view text, Operand &operand) {
  if (text.starts_with('[')) return take_memory(text, operand);
  if (text == "xzr" || text == "wzr") return true;
  operand.base = register_of(text);
  if (operand.base >= 0) operand.kind = Operand::Kind::kRegister;
  return operand.base >= 0 || (take_constant(text, operand.value) && text.empty());
}

}  // namespace arm64

}  // namespace

std::optional<std::vector<Operand>> operands_of(std::string_view text, Convention convention) {
  std::vector<Operand> found;
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    const size_t bracket = text.find('['), space = text.find(' ');
    const size_t end = bracket < space ? text.find(']') + 1 : space;
    std::string_view one = text.substr(0, end);
    text.remove_prefix(one.size());
    int bytes = 0;
    Operand operand;
    if (!take_number(one, bytes) || !one.starts_with('@')) return std::nullopt;
    operand.is_signed = bytes < 0;
    operand.bytes = static_cast<uint32_t>(bytes < 0 ? -bytes : bytes);
    if (operand.bytes != 1 && operand.bytes != 2 && operand.bytes != 4 && operand.bytes != 8) return std::nullopt;
    const auto take_place = convention == Convention::kArm64 ? arm64::take_place : x86::take_place;
    if (!take_place(one.substr(1), operand)) return std::nullopt;
    found.push_back(operand);
  }
  return found;
}

}  // namespace strata::expr
