// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Sequence numbers of TCP, which are modulo 1 << 32, among the bytes of a sample.
#pragma once

#include <algorithm>
#include <cstdint>

namespace strata {

inline bool is_after(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) > 0; }

// The place of a sequence number in the `size` bytes from `first` on.
inline uint64_t place_of(uint32_t seq, uint32_t first, uint64_t size) {
  return is_after(seq, first) ? std::min<uint64_t>(seq - first, size) : 0;
}

}  // namespace strata
