// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The flags of open(2) and openat2(2) by their names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

// "O_RDWR|O_CREAT|O_CLOEXEC"; "O_PATH|O_NOFOLLOW", as O_PATH has no access mode. The kernel adds O_LARGEFILE by itself:
// it is left out. Bits without a name are a number at the end.
std::string open_flags_text(uint64_t flags);
std::string resolve_text(uint64_t resolve);  // "RESOLVE_BENEATH|RESOLVE_NO_SYMLINKS"
std::string mode_text(uint64_t mode);        // "0644"
bool makes_a_file(uint64_t flags);           // so that the mode counts

// Flags of which one is enough.
struct OpenFlagSet {
  uint32_t access = 0;  // 1 << O_RDONLY, ...
  uint64_t flags = 0;
};
[[nodiscard]] bool add_open_flag(OpenFlagSet &set, std::string_view name);  // false if there is no such flag
std::vector<std::string> open_flag_names();                                 // of all that it takes

}  // namespace strata
