// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where a command lies that is named as on a shell's command line.
#pragma once

#include <string>

namespace strata {

// As execvp(3) would find it, but before anything begins: 0 and its path, or why not (ENOENT, EACCES).
int find_program(const std::string &name, std::string &path);

}  // namespace strata
