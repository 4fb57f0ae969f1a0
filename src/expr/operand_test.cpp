// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/operand.h"

#include <span>
#include <string>

#include "base/test.h"
namespace strata::expr {
namespace {

std::string shown(const Operand &one, std::span<const RegisterName> registers) {
  const auto name = [&](int offset) {
    for (const RegisterName &known : registers)
      if (known.offset == offset) return std::string(known.name);
    return std::string("?");
  };
  const std::string size = (one.is_signed ? "s" : "u") + std::to_string(one.bytes) + " ";
  if (one.kind == Operand::Kind::kConstant) return size + std::to_string(one.value);
  if (one.kind == Operand::Kind::kRegister) return size + name(one.base) + (one.high ? " high" : "");
  const std::string index = one.index < 0 ? "" : "+" + name(one.index) + "*" + std::to_string(one.scale);
  return size + "[" + name(one.base) + index + (one.value == 0 ? "" : "+" + std::to_string(one.value)) + "]";
}

std::string all(const char *text, Convention convention = Convention::kX86) {
  const auto operands = operands_of(text, convention);
  const std::span<const RegisterName> registers =
      convention == Convention::kX86 ? std::span<const RegisterName>(kX86Registers) : kArm64Registers;
  if (!operands) return "none";
  std::string shown_all;
  for (const Operand &one : *operands) shown_all += (shown_all.empty() ? "" : ", ") + shown(one, registers);
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

TEST_CASE("operands of static probes on arm64") {
  const auto arm64 = [](const char *text) { return all(text, Convention::kArm64); };
  CHECK(arm64("8@x0 -4@w1 4@x30 1@x19") == "u8 r0, s4 r1, u4 r30, u1 r19");
  CHECK(arm64("-4@-7 8@0x10 4@#5 8@xzr") == "s4 -7, u8 16, u4 5, u8 0");
  CHECK(arm64("8@[sp] -4@[sp, 60] 8@[x29, -16] 4@[x0, #8] 8@[x1, x2] 8@[x1, x2, lsl 3]") ==
        "u8 [sp], s4 [sp+60], u8 [r29+-16], u4 [r0+8], u8 [r1+r2*1], u8 [r1+r2*8]");
  for (const char *text : {"8@", "8@x", "8@x31", "8@r0", "3@x0", "8@[sp", "8@[x0, x1, lsl]", "8@[x0, x1, lsl 5]",
                           "8@[x0, 8, 8]", "8@[]", "8@5x", "8@name", "8@%rax"})
    CHECK(arm64(text) == "none");
}

}  // namespace strata::expr
