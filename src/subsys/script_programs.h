// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the programs that a script probes know of themselves, by their DWARF: arguments by their names, and types. Each
// file is read once, and only if something of it is asked for: large ones take a second.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "btf/file.h"
#include "expr/plan.h"
#include "expr/program_arguments.h"
#include "expr/types.h"
#include "expr/uses.h"

namespace strata {

class ScriptPrograms {
 public:
  // `file`: the path by which it is opened here; `path`: that where it is looked for, also for its debug symbols.
  void want_function(const std::string &file, const std::string &path, uint64_t offset) {
    one(file, path).functions.insert({offset, ""});
  }
  void want_types(const std::string &file, const std::string &path, const std::set<std::string> &names) {
    one(file, path).names.insert(names.begin(), names.end());
  }
  void read();  // what is wanted by now

  // Of the function that begins there in the file; nullopt: it has no DWARF of it.
  [[nodiscard]] std::optional<std::vector<expr::ProgramArgument>> arguments(const std::string &file, uint64_t offset,
                                                                            expr::Types &types) const;
  // Its types, and what it is called with or why that is not known. `behind` the beginning nothing lies where it did.
  void describe(expr::Target &target, const std::string &file, uint64_t offset, bool behind, expr::Types &types) const;

 private:
  struct One {
    std::string path;
    std::map<uint64_t, std::string> functions;  // by their offsets: their names in the types
    std::set<std::string> names;
    std::unique_ptr<BtfFile> types;  // nullptr: there are none of these
  };
  One &one(const std::string &file, const std::string &path) {
    One &found = programs_[file];
    found.path = path;
    return found;
  }
  static std::unique_ptr<BtfFile> read(const std::string &file, One &one);

  std::map<std::string, One> programs_;
};

}  // namespace strata
