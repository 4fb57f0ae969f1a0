// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Files that may be anybody's, in formats with loops and references of their own, are read by a process apart: without
// capabilities, without descriptors but those it needs, with bounded time and memory. What it takes too long for, or
// dies of, is as if it were not there.
#pragma once

#include <span>

namespace strata {

inline constexpr int kConfinedPatienceMs = 10'000;  // for an answer: a file system may not give any

// In a process that was just forked; -1 is none of the descriptors. False: it would read with more than it needs.
[[nodiscard]] bool confine(std::span<const int> kept);

}  // namespace strata
