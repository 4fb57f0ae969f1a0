// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_programs.h"

#include <unistd.h>

#include <string_view>

#include "base/fd.h"
#include "base/format.h"
#include "base/text.h"
#include "btf/sound.h"
#include "sym/debug_file.h"
#include "sym/elf.h"
#include "sym/mapped.h"
#include "sym/program_types.h"

namespace strata {
namespace {

// GCC may call a copy of a function with less than it declares.
bool is_changed_copy(std::string_view function) {
  return function.find(".isra") != std::string_view::npos || function.find(".constprop") != std::string_view::npos ||
         function.find(".part") != std::string_view::npos;
}

}  // namespace

void ScriptPrograms::read() {
  for (auto &[file, one] : programs_) one.types = read(file, one);
}

std::unique_ptr<BtfFile> ScriptPrograms::read(const std::string &name, One &one) {
  const Fd file = open_regular(name);
  const ElfFile elf(file.get());
  if (!elf.valid() || elf.narrow()) return nullptr;
  WantedTypes wanted = {.functions = {}, .names = {one.names.begin(), one.names.end()}};
  for (auto &[offset, function] : one.functions) {
    const std::optional<uint64_t> address = elf.address_of(offset);
    if (!address) continue;
    function = formatted("{:#x}", *address);
    wanted.functions.push_back(*address);
  }
  const Fd debug_file = open_debug_file(elf, one.path, open_root(static_cast<uint32_t>(getpid())));
  std::unique_ptr<BtfFile> types = BtfFile::open(program_types(file.get(), debug_file.get(), wanted));
  return types != nullptr && is_sound(*types) ? std::move(types) : nullptr;
}

std::optional<std::vector<expr::ProgramArgument>> ScriptPrograms::arguments(const std::string &file, uint64_t offset,
                                                                            expr::Types &types) const {
  const auto program = programs_.find(file);
  if (program == programs_.end() || program->second.types == nullptr) return std::nullopt;
  const auto function = program->second.functions.find(offset);
  if (function == program->second.functions.end()) return std::nullopt;
  types.look_into(program->second.types.get());
  auto all = expr::program_arguments(types, *program->second.types, function->second);
  types.look_into(nullptr);
  return all;
}

void ScriptPrograms::describe(expr::Target &target, const std::string &file, uint64_t offset, bool behind,
                              expr::Types &types) const {
  const auto program = programs_.find(file);
  if (program == programs_.end()) return;
  target.program = program->second.types.get();
  const std::string title = printable(target.title);
  const auto unknown = [&](const std::string &why) { target.why_no_arguments = why; };
  if (target.returns()) return unknown("the arguments of " + title + " are gone when it returns: a uprobe has them");
  if (behind) return unknown("the arguments of " + title + " are known where the function begins alone");
  if (is_changed_copy(target.name))
    return unknown("the compiler changed what " + title + " is called with: arg0, arg1 and so on may be anything");
  const auto known = arguments(file, offset, types);
  if (!known)
    return unknown(printable(program->second.path) + " has no DWARF (debug information of C or C++) of " +
                   printable(target.name) + ": arg0, arg1 and so on are its arguments as numbers");
  if (known->empty()) return unknown(title + " has no arguments");
  for (const expr::ProgramArgument &one : *known) {
    if (one.why_not.empty())
      target.arguments.push_back({.name = one.name, .type = one.type, .offset = one.place});
    else
      target.unreadable.emplace(one.name, one.why_not);
  }
  if (target.arguments.empty()) unknown("no argument of " + title + " can be read");
}

}  // namespace strata
