// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where an argument of a static probe (USDT) lies, as the assembler writes it: "-4@%edi", "8@-16(%rbp,%rax,8)", "4@$7".
// On arm64: "-4@x7", "8@[sp, 16]", "4@7".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "expr/machine.h"

namespace strata::expr {

struct Operand {
  enum class Kind : uint8_t { kConstant, kRegister, kMemory };
  Kind kind = Kind::kConstant;
  uint32_t bytes = 8;
  bool is_signed = false;
  int64_t value = 0;         // of a constant; in memory, what is added to the address
  int base = 0, index = -1;  // registers, as offsets in struct pt_regs; no index: -1
  int32_t scale = 1;         // of the index
  bool high = false;         // the second byte of the register: %ah
};

// nullopt: one of them is of another form.
std::optional<std::vector<Operand>> operands_of(std::string_view text, Convention convention = kOwnConvention);

}  // namespace strata::expr
