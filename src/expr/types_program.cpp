// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The types of programs that are probed, beside the kernel's.
#include "expr/types.h"

namespace strata::expr {

void Types::look_into(const BtfFile *program) {
  program_ = program;
  if (program != nullptr) programs_.try_emplace(program);
}

bool Types::is_known(const std::string &name) const { return plain(name).has_value(); }

BtfType Types::find(const std::string &name, uint32_t kind) const {
  const uint32_t id = program_ == nullptr ? 0 : program_->named(name, kind);
  return id != 0 ? BtfType{.file = program_, .id = id} : find_(name, kind);
}

// What a program only declares is none of the kernel's.
BtfType Types::find_beside(const BtfFile *file, const std::string &name, uint32_t kind) const {
  if (!programs_.contains(file)) return find_(name, kind);
  const uint32_t id = file->named(name, kind);
  return id == 0 ? BtfType{} : BtfType{.file = file, .id = id};
}

std::optional<Function> Types::function(const BtfFile &program, const std::string &name) {
  const uint32_t id = program.named(name, BTF_KIND_FUNC);
  return id == 0 ? std::nullopt : read_function({&program, id}, 0, Space::kUser);
}

// The kernel, and other programs, may have others of that name: "state#1" is one of a program.
std::string Types::name_of_enum(BtfType at, const std::string &name) {
  if (name.empty() || !programs_.contains(at.file)) return name;
  std::map<uint64_t, std::string> values;
  for (auto &[enumerator, value] : at.file->enumerators(at.id)) values.emplace(value, std::move(enumerator));
  for (uint32_t number = 1;; number++) {
    std::string made = name + "#" + std::to_string(number);
    if (names_.try_emplace(made, values).first->second == values) return made;
  }
}

}  // namespace strata::expr
