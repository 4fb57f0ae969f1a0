// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Arithmetic on constants, as the program would do it: with 64 bits, and by 0 as BPF has it.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::expr {

uint64_t folded(std::string_view op, uint64_t value);                          // - ~ !
uint64_t folded(std::string_view op, uint64_t a, uint64_t b, bool is_signed);  // all between two values

}  // namespace strata::expr
