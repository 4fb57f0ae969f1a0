// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program or a library that runs: its unwind table, and the names of its functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "sym/elf.h"
#include "sym/mapped.h"
#include "sym/source_lines.h"
#include "sym/symbols.h"
#include "unwind/table.h"

namespace strata {

// Of an address in a function: of a call the stack has the last byte, and what it returns to is the one behind. kAlone:
// the source line of the instruction, without what was inlined there.
enum class FrameOffset : uint8_t { kNone, kAlone, kAt, kBehind };

class CodeFile {
 public:
  // Its path is below the root directory of its process.
  CodeFile(Fd file, std::string path, const Fd &root);

  [[nodiscard]] UnwindTable read_table(UnwindRules &rules);  // once; names need its functions
  // What to take from an address in the mapping to have it as the file says it; nullopt: it is not the file's code.
  [[nodiscard]] std::optional<uint64_t> bias(const CodeMapping &mapping) const;

  // "qsort", with its offset "qsort+0x1c"; without a symbol the function's start, "libc.so.6:fn@0x64e00", or, where no
  // function is known, "libc.so.6+0x64e17".
  const std::string &function(uint64_t address, FrameOffset offset = FrameOffset::kNone);
  // With source lines: "qsort (msort.c:132)", and before it, marked by "_[i]", what was inlined into it there, the
  // innermost first.
  const std::vector<std::string> &functions(uint64_t address, FrameOffset offset = FrameOffset::kNone);
  [[nodiscard]] const std::string &name() const { return name_; }  // without directories
  [[nodiscard]] const std::string &path() const { return path_; }

  uint32_t page = 0;    // its tables, as stack_mapping has them
  bool tables = false;  // it has some there

 private:
  void read_symbols();
  [[nodiscard]] std::vector<std::string> functions_at(uint64_t address, FrameOffset offset);
  [[nodiscard]] std::string name_at(uint64_t address, FrameOffset with) const;

  Fd file_;
  std::string path_, name_;  // with directories, and without
  const Fd &root_;
  ElfFile elf_;
  std::vector<UnwindFunction> functions_;
  std::optional<Symbols> symbols_;                      // read when the first name is asked for
  std::unordered_map<uint64_t, std::string> names_[4];  // by FrameOffset
  Fd debug_file_;
  std::optional<SourceLines> lines_;  // when the first is asked for
  std::unordered_map<uint64_t, std::vector<std::string>> names_with_lines_[4];
};

}  // namespace strata
