// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Of a kernel's types those that CO-RE looks at for one BPF object: it takes a few hundred of 140,000.
#pragma once

#include <set>
#include <string>

#include "btf/file.h"

struct btf;

namespace strata {

// BTF, as it stands in a file, with the structures, unions, enumerations and typedefs of these names and all that they
// contain by value. A pointer leads to void: for a field its kind is all that CO-RE compares.
std::string btf_subset(const BtfFile &types, const std::set<std::string> &names);

// The names that CO-RE may look for on behalf of an object with these types: a name's part from ___ on is only its own.
std::set<std::string> names_to_relocate(const btf *of_object);

}  // namespace strata
