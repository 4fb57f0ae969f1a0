// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a function of a program is called with, by its types: where the convention of the processor puts each, when it
// begins. DWARF's own lists of places are of the code behind that, and are not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "btf/file.h"
#include "expr/machine.h"
#include "expr/types.h"

namespace strata::expr {

struct ProgramArgument {
  std::string name, declared;  // its type as C says it: "const char *"
  Type type;
  uint32_t place = 0;   // its register, as arg0 and so on; behind the last one the words on the stack
  std::string why_not;  // that it cannot be read; "" if it can
};

// nullopt: the types do not have the function. A struct that comes by its address has the type of a pointer.
std::optional<std::vector<ProgramArgument>> program_arguments(Types &types, const BtfFile &program,
                                                              const std::string &function,
                                                              Convention convention = kOwnConvention);

std::string declared_type(const BtfFile &types, uint32_t id);  // "struct node *"

}  // namespace strata::expr
