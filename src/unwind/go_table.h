// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What Go's runtime knows of its stacks (.gopclntab, which stripped programs have, too) as rows of rules: Go's compiler
// writes no .eh_frame. By frame pointers alone a fourth of the stacks of a program that hashes was cut short, as
// functions in assembler use the register for something else. A pure function of the bytes, which are another's: time
// and memory grow with their number, no more. The format: Go's runtime/symtab.go, of 1.18 and later; programs of older
// ones are walked by frame pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "unwind/eh_frame.h"
#include "unwind/rules.h"

namespace strata {

// `text`: where Go's code begins, where its place in the bytes, at kGoTextAt, is 0 until it is relocated.
inline constexpr uint64_t kGoTextAt = 24;
CallFrames read_go_table(std::span<const std::byte> bytes, uint64_t text, UnwindRules &rules);

// The same functions with their names, which are parts of the bytes.
struct GoFunction {
  uint64_t from, to;
  std::string_view name;
};
std::vector<GoFunction> read_go_names(std::span<const std::byte> bytes, uint64_t text);

// Where it begins among other data, as linkers of C leave it.
std::optional<size_t> find_go_table(std::span<const std::byte> bytes);

// What both say, of a program with parts in C: `over` where it says something.
CallFrames joined_frames(const CallFrames &under, const CallFrames &over);

}  // namespace strata
