// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What DWARF alone knows of how a function is called: where C++ hands over the address of a class, and where the
// caller's memory for the result is the first argument.
#pragma once

#include <elfutils/libdw.h>

#include <optional>

namespace strata {

// Of a parameter, or of a function for its result: the class, if its address is passed.
std::optional<Dwarf_Die> passed_by_address(Dwarf_Die &die);
bool has_result_address(Dwarf_Die &function);

}  // namespace strata
