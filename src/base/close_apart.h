// Closes what the kernel takes long to close: some 70 ms for each of a few hundred tracepoints, one by one.
#pragma once

#include <vector>

#include "base/fd.h"

namespace strata {

// In a process of its own, which holds nothing else and for which nobody waits; at once if there are few of them, or if
// there can be no such process.
void close_apart(std::vector<Fd> descriptors);

}  // namespace strata
