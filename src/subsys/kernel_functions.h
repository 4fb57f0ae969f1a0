// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Functions of the kernel by the names that people type, and for hosts that permit no kprobes the tracepoint that tells
// most of what a probe of one would.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

// That one, or all that match the pattern; of a module ("vmlinux" is none), or of all. Throws Error: there is none,
// with the nearest name.
std::vector<std::string> find_kernel_functions(const std::string &name, const std::string &module = "");

// Says so where there are so many that somebody waits for it.
void say_one_by_one(size_t functions);

struct NearbyTracepoint {
  std::string category;  // "": it has the function's own name
  std::string name;      // "": none is known, or this kernel has it not
};
// `returns`: where the function returns, of which system calls have a tracepoint of their own.
NearbyTracepoint nearby_tracepoint(std::string_view function, bool returns);

}  // namespace strata
