// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Files that somebody named, read or written as a whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata {

class Fd;

inline constexpr size_t kMostOfFile = 1 << 20;

// All of it. Throws Error, with this exit status, where it cannot be read or is longer than `most` bytes, and calls it
// `what`, "the program a.bt". `hint`: what may be meant where there is none, " (--update makes one)".
std::string whole_file(const std::string &path, const std::string &what, size_t most = kMostOfFile, int exit_status = 1,
                       const std::string &hint = "");

// All of it from where the file stands. Throws Error, "cannot write WHAT".
void write_all(const Fd &file, std::string_view bytes, const std::string &what);

}  // namespace strata
