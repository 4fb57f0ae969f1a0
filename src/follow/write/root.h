// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// --path: the inode that files must be, or be below.
#pragma once

#include <string>

namespace strata {

class Object;

// Throws Error if there is no such file or directory.
void set_root(Object &object, const std::string &path);

}  // namespace strata
