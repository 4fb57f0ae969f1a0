// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Closes what the kernel takes long to close, one after the other: some 70 ms for each of a few hundred tracepoints, 40
// for each uprobe and 100 for each fentry of 6.1.
#pragma once

#include <vector>

#include "base/fd.h"

namespace strata {

// Holds copies of descriptors in a process of its own, which has nothing else, so that to close them here takes no
// time. That process closes them when this object ends; nobody waits for it. Without such a process there are no
// copies.
class HeldApart {
 public:
  explicit HeldApart(std::vector<int> descriptors);

 private:
  Fd until_;
};

// In such a process; at once if there are few of them.
void close_apart(std::vector<Fd> descriptors);

// Side by side, in threads, for those that must be closed when this returns: they wait for the same grace period.
void close_together(std::vector<Fd> descriptors);

}  // namespace strata
