// A place in strata's own program file where a uprobe does no harm: a function that nobody calls.
#pragma once

#include <cstdint>

namespace strata {

uint64_t offset_of_idle_function();  // in /proc/self/exe

}  // namespace strata
