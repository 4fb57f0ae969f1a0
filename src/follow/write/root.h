// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// --path: the inode that files must be, or be below.
#pragma once

#include <string>

#include "follow/wire.h"

namespace strata {

class Object;

// A chain's set_path. Throws Error if there is no such file or directory.
void set_root(Object &object, const std::string &path, follow_attach_mode &);

}  // namespace strata
