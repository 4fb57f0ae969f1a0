// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs that a program asks for: import "FILE";
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expr/source.h"

namespace strata::expr {

// The program in the file of that path, or those in the directory, each by its path. Throws Error.
using ReadPrograms = std::function<std::vector<Source>(const std::string &path)>;

// What it imports stands before it, each file once, and the statements that say so are gone. Paths are relative to the
// file in which they stand. Throws Error.
Source with_imports(const Source &source, const ReadPrograms &read);

}  // namespace strata::expr
