// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which CPUs there are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace strata {

std::vector<uint32_t> cpu_list(std::string_view text);  // "0-3,7", as sysfs has it; what cannot be read is left out
// Those of --cpu, in their order; throws a usage Error: they are not CPUs of this host.
std::vector<uint32_t> cpus_named(std::string_view text);
uint32_t possible_cpus();  // as many as there may ever be, or their numbers go to; throws Error

}  // namespace strata
