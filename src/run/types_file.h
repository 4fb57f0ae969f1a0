// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The kernel's types from a file, on hosts whose kernel was built without them (CONFIG_DEBUG_INFO_BTF).
#pragma once

#include <string>

namespace strata {

class Values;

// Of --btf, else of STRATA_BTF, else, where the kernel has none, of the first file that distributions and builds leave
// beside one of its release. Throws Error where a named file holds none, or is another kernel's by its notes.
void choose_kernel_types(const Values &values);

std::string types_file();  // that was chosen; empty: the kernel's own

// `bytes` of BTF for FILE, which all may read. Throws Error.
void write_types(const std::string &path, const std::string &bytes);

}  // namespace strata
