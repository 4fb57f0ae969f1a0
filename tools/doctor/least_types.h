// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Of the kernel's types those that the tools' programs look for, as a file: for fleets whose kernel was built without.
#pragma once

#include <span>
#include <string>

namespace strata {

struct Tool;

// Throws Error: the types cannot be read, or the file not be written.
void write_least_types(std::span<const Tool *const> tools, const std::string &path);

}  // namespace strata
