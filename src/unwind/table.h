// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The unwind table of a file: its rows in pages, as programs look them up (bpf/lib/user/unwind_wire.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unwind/eh_frame.h"
#include "unwind/rules.h"

namespace strata {

class ElfFile;

struct UnwindTable {
  uint64_t first_page = 0;         // the address of the first one >> UNWIND_PAGE_SHIFT
  std::vector<unwind_page> pages;  // of all executable segments, without a gap; none: the file says nothing
  std::vector<uint32_t> rows;      // UNWIND_ROW(): of the first page, then of the next
  std::vector<UnwindFunction> functions;
  std::string_view why_not_all;  // "" if all could be read
};

// Of a program or a library of 64 bits: by the addresses that its file gives.
UnwindTable read_unwind_table(const ElfFile &elf, UnwindRules &rules);

// What Go's runtime knows of a program's functions (unwind/go_table.h); no bytes: it is not of Go, or of an old one.
struct GoData {
  std::vector<std::byte> bytes;
  uint64_t text = 0;
};
GoData find_go_data(const ElfFile &elf);

// The rule at an address, as programs find it.
uint16_t find_rule(const UnwindTable &table, uint64_t address);

// Where the function of an address begins, at an instruction; nullopt: that is not known. The frames of signals begin
// within what is before them.
std::optional<uint64_t> function_of(const UnwindTable &table, const UnwindRules &rules, uint64_t address);

// Whether a return address is on top of the stack at an address, as where functions begin, but not parts of them
// (f.cold) and the program; also where nothing is known.
bool may_return_from(const UnwindTable &table, const UnwindRules &rules, uint64_t address);

}  // namespace strata
