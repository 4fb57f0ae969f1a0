// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program's functions are called with, and its types, by its DWARF: as a file of BTF, which a process apart
// writes (confined.h), so that it is nobody's to trust.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"

namespace strata {

struct WantedTypes {
  std::vector<uint64_t> functions;  // their addresses, as the file says them; named so, "0x401136"
  std::vector<std::string> names;   // "struct foo", or "foo", a typedef's or a class's
};

// Of its own file, and that of its debug symbols, which is -1 if there is none. With all types that those lead to.
// None: there is no DWARF, none of these is in it, or it took too long.
[[nodiscard]] Fd program_types(int file, int debug_file, const WantedTypes &wanted);

}  // namespace strata
