// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Functions of BPF programs that are loaded, by the types that those have: the programs and their subprograms.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "expr/type.h"

namespace strata {

struct BpfFunction {
  std::shared_ptr<Fd> program;
  uint32_t id = 0;
  std::string name;
  uint32_t type = 0;  // in the program's types
  std::vector<expr::Field> parameters;
};

// Each may be a pattern.
std::vector<BpfFunction> bpf_functions(const std::string &id, const std::string &name);

}  // namespace strata
