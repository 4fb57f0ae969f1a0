// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where instructions of this machine begin: a breakpoint within one makes a program run something else, and the kernel
// does not look at it. (Debian has no static library that tells it: Zydis is shared alone there.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace strata {

// Of the one of x86-64 that `code` begins with, in bytes; 0: it is cut off, invalid in 64-bit mode, or not known.
[[nodiscard]] size_t x86_instruction_bytes(std::span<const std::byte> code);

struct CodeStep {
  uint64_t from, to;  // bytes behind the beginning of the function
};
// The instruction of a function that has the byte at `offset`, by what is before it; nullopt: `code` has an instruction
// before it, or there, that is not known.
[[nodiscard]] std::optional<CodeStep> instruction_at(std::span<const std::byte> code, uint64_t offset);

}  // namespace strata
