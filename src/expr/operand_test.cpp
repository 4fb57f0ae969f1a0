// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/operand.h"

#include <string>

#include "base/test.h"
#include "expr/machine.h"

#if defined(__x86_64__)  // of which alone operands are read

namespace strata::expr {
namespace {

std::string shown(const Operand &one) {
  const auto name = [](int offset) {
    for (const RegisterName &known : kRegisters)
      if (known.offset == offset) return std::string(known.name);
    return std::string("?");
  };
  const std::string size = (one.is_signed ? "s" : "u") + std::to_string(one.bytes) + " ";
  if (one.kind == Operand::Kind::kConstant) return size + std::to_string(one.value);
  if (one.kind == Operand::Kind::kRegister) return size + name(one.base) + (one.high ? " high" : "");
  const std::string index = one.index < 0 ? "" : "+" + name(one.index) + "*" + std::to_string(one.scale);
  return size + "[" + name(one.base) + index + (one.value == 0 ? "" : "+" + std::to_string(one.value)) + "]";
}

std::string all(const char *text) {
  const auto operands = operands_of(text);
  if (!operands) return "none";
  std::string shown_all;
  for (const Operand &one : *operands) shown_all += (shown_all.empty() ? "" : ", ") + shown(one);
  return shown_all;
}

}  // namespace

TEST_CASE("operands of static probes are registers, constants and memory") {
  CHECK(all("8@%rdi -4@%eax 2@%dx 1@%cl -1@%ah 1@%sil 4@%r8d 8@%r15") ==
        "u8 di, s4 ax, u2 dx, u1 cx, s1 ax high, u1 si, u4 r8, u8 r15");
  CHECK(all("-4@$-7 8@$0x10 4@$5") == "s4 -7, u8 16, u4 5");
  CHECK(all("8@(%rsp) -4@-16(%rbp) 8@8(%rax,%rbx,4) 4@(%r9,%r10)") ==
        "u8 [sp], s4 [bp+-16], u8 [ax+bx*4+8], u4 [r9+r10*1]");
  CHECK(all("") == "");
}

TEST_CASE("operands of other forms are none") {
  for (const char *text : {"x", "8", "8@", "8@%", "8@%zz", "3@%rax", "8@name(%rip)", "8@4(%rax", "8@(%rax,%zz)", "8@$",
                           "8@$5x", "8@(%rax,%rbx,q)", "8@%rax8@%rbx", "@%rax"})
    CHECK(all(text) == "none");
}

}  // namespace strata::expr

#endif
