// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// System calls of this architecture, by the numbers that its 64-bit and its 32-bit programs have for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

std::string syscall_name(uint64_t number);      // 1 -> "write"; unknown -> "syscall 451"
int64_t syscall_number(std::string_view name);  // -1 if this architecture lacks it
std::string syscall32_name(uint64_t number);
int64_t syscall32_number(std::string_view name);
// Of the same call, which may be another one there, too, with 64 behind its name: none, one or two.
std::vector<size_t> syscall32_numbers(std::string_view name);
std::vector<std::string_view> syscall_names();  // of both, some twice

}  // namespace strata
