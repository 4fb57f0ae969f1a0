// System call numbers of this architecture, for the calls that strata's tools name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

std::string syscall_name(uint64_t number);      // 1 -> "write"; unknown -> "syscall 451"
int64_t syscall_number(std::string_view name);  // -1 if this architecture lacks it

}  // namespace strata
