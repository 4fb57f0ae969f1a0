// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A part of the code that runs, as people name it where instructions are counted:
//
//   main  vfs_read  'std::vector<*'     a function, whichever file has it, or the kernel
//   k:vfs_read  c:qsort  u:/bin/dd:main  dd:fn@0x5ae0    one of the kernel, or of a file (bpf/probe_name.h)
//   0x401000-0x401080  dd:0x5ae0-0x5b00                  addresses from, and below, as processes have them, or the file
//
// Pure. Functions are those of samples and not of files, so that what has no symbol can be named, and what begins
// later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

struct Instruction {
  uint64_t address = 0;       // where it runs; 0: not known
  std::string_view function;  // with its offset: "qsort+0x1c", "libc.so.6:fn@0x64e00+0x4", "vfs_read+0x1f [xfs]"
  bool kernel = false;
  std::string_view file = {};    // its name without directories; empty: none has it
  uint64_t address_in_file = 0;  // as the file says it
};

class CodePlace {
 public:
  explicit CodePlace(std::string_view text);  // throws a usage Error

  [[nodiscard]] bool has(const Instruction &one) const;
  // Of an option that may be without it: is the next word one, and no DURATION?
  static bool is_one(std::string_view word);

 private:
  [[nodiscard]] bool has_function(const Instruction &one) const;

  enum class Where : uint8_t { kAnywhere, kKernel, kFile };
  Where where_ = Where::kAnywhere;
  std::string place_;  // the file, or the module
  std::string function_;
  uint64_t from_ = 0, to_ = 0;  // instead, if to_ is not 0
};

}  // namespace strata
