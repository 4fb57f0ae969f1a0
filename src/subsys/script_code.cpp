// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whether a probe in a program's code leaves the program as it is.
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/format.h"
#include "base/text.h"
#include "subsys/script.h"
#include "subsys/script_run.h"
#include "sym/elf.h"
#include "sym/instructions.h"
#include "sym/mapped.h"
#include "unwind/table.h"

namespace strata {
namespace {

constexpr const char *kNoReturn =
    "what is on the stack there is no return address, and a uretprobe breaks the program: no function begins there, or "
    "it is where the program begins";

}  // namespace

const char *Script::unsafe_hint() const { return run_.has_unsafe ? " (--unsafe takes it)" : ""; }

std::string Script::cannot_tell() const {
  return std::string(
             "strata cannot tell whether an instruction begins there, and a probe within one breaks the "
             "program") +
         unsafe_hint();
}

// A probe within an instruction would have the program run something else, and mostly end. `base`: how places of the
// function are called, its address or 0.
void Script::check_instruction(const expr::AttachPoint &place, const std::string &file, uint64_t function,
                               uint64_t behind, uint64_t base) const {
  constexpr uint64_t kMost = 1 << 20;  // no function of compiled code has more
  if (run_.unsafe || behind == 0) return;
  const Fd fd = open_regular(file);
  std::vector<std::byte> code(std::min(behind, kMost) + 16);
  const ssize_t got = pread(fd.get(), code.data(), code.size(), static_cast<off_t>(function));
  code.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  const std::optional<CodeStep> step = ElfFile(fd.get()).narrow() ? std::nullopt : instruction_at(code, behind);
  if (!step) throw source_.error(place.at, cannot_tell());
  if (step->from == behind) return;
  const char *sign = base == 0 ? "+" : "";
  throw source_.error(
      place.at, formatted("a probe within an instruction breaks the program; {}{:#x} and {}{:#x} begin one{}", sign,
                          base + step->from, sign, base + step->to, unsafe_hint()));
}

// What is behind a function is another's.
void Script::check_end(const expr::AttachPoint &place, const std::string &file, const std::string &function,
                       uint64_t behind) const {
  const Fd fd = open_regular(file);
  const std::optional<ElfFile::Symbol> symbol = ElfFile(fd.get()).symbol(function);
  if (symbol && symbol->bytes != 0 && behind >= symbol->bytes && !run_.unsafe)
    throw source_.error(place.at, formatted("{} has {:#x} bytes", printable(function), symbol->bytes));
}

// By the function that is before it: a symbol's, or of a file that is stripped what its call frames know.
void Script::check_address(const expr::AttachPoint &place, const std::string &file, uint64_t address,
                           uint64_t offset) const {
  if (run_.unsafe) return;
  const Fd fd = open_regular(file);
  const ElfFile elf(fd.get());
  UnwindRules rules;
  const UnwindTable frames = read_unwind_table(elf, rules);
  uint64_t function = 0;  // none: an ELF file begins with its head
  for (const ElfFile::NamedFunction &one : elf.functions().found)
    if (one.offset <= offset) function = std::max(function, one.offset);
  if (const auto from = function_of(frames, rules, address)) function = std::max(function, offset - (address - *from));
  if (function == 0) throw source_.error(place.at, cannot_tell());
  if (place.kind == "uretprobe" && (function != offset || !may_return_from(frames, rules, address)))
    throw source_.error(place.at, kNoReturn);
  check_instruction(place, file, function, offset - function, address - (offset - function));
}

// Symbols are also of parts of functions, to which no call goes and from which nothing returns (f.cold): a uretprobe
// would break the program, and a pattern means functions.
void Script::leave_parts(const expr::AttachPoint &place, const std::string &file, bool pattern,
                         std::vector<ElfFile::NamedFunction> &functions) const {
  if (run_.unsafe || (!pattern && place.kind != "uretprobe")) return;
  const Fd fd = open_regular(file);
  const ElfFile elf(fd.get());
  UnwindRules rules;
  const UnwindTable frames = read_unwind_table(elf, rules);
  const size_t left = std::erase_if(functions, [&](const ElfFile::NamedFunction &one) {
    const std::optional<uint64_t> address = elf.address_of(one.offset);
    return address && !may_return_from(frames, rules, *address);
  });
  if (left != 0 && functions.empty()) throw source_.error(place.at, kNoReturn);
}

}  // namespace strata
