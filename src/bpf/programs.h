// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The programs of a tool by their names, without the kernel: what could be attached, on some host.
#pragma once

#include <string>
#include <vector>

#include "bpf/variant.h"

namespace strata {

struct ProgramName {
  std::string hook, variant;  // the variant is empty where the program is a hook of its own
  std::string section;        // libbpf's: "fexit/do_sys_openat2"
};
std::vector<ProgramName> programs_of(const Programs &programs);  // throws Error

}  // namespace strata
