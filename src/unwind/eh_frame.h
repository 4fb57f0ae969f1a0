// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Call frame information (.eh_frame, by which C++ exceptions are thrown, and which nearly every program and library
// has) as rows of rules. A pure function of the bytes, which are another's: time and memory grow with their number, no
// more. The format: DWARF 5, 6.4, and "Exception Frames" of the Linux Standard Base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "unwind/registers.h"
#include "unwind/rules.h"

namespace strata {

struct UnwindRow {
  uint64_t address;  // from here to the next one
  uint16_t rule;
};
struct UnwindFunction {
  uint64_t from, to;  // [from, to)
};
struct CallFrames {
  std::vector<UnwindRow> rows;            // in the order of their addresses; neighbours differ
  std::vector<UnwindFunction> functions;  // in this order, too, and apart from each other
  std::string_view why_not_all;           // "" if all could be read
};

// The section's bytes, and its address.
CallFrames read_eh_frame(std::span<const std::byte> bytes, uint64_t address, UnwindRules &rules,
                         const UnwindRegisters &registers = kOwnRegisters);

}  // namespace strata
