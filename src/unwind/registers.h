// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The registers that a walk needs, as DWARF numbers them for each machine.
#pragma once

#include <cstdint>

namespace strata {

struct UnwindRegisters {
  uint64_t sp, fp, return_address;
  bool linked;  // a call leaves the return address in that register, and not on the stack
};

inline constexpr UnwindRegisters kX86Registers = {.sp = 7, .fp = 6, .return_address = 16, .linked = false};
inline constexpr UnwindRegisters kArm64Registers = {.sp = 31, .fp = 29, .return_address = 30, .linked = true};

#if defined(__aarch64__)
inline constexpr const UnwindRegisters &kOwnRegisters = kArm64Registers;
#else
inline constexpr const UnwindRegisters &kOwnRegisters = kX86Registers;
#endif

}  // namespace strata
