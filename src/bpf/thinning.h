// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs that can look at one event in so many while they run: those that include lib/core/thinning.h.
#pragma once

#include <cstdint>

namespace strata {

class Object;

inline constexpr uint32_t kThinnest = 1024;

// Before load(): from then on it may be. Does nothing where the programs cannot.
void allow_thinning(Object &object);
[[nodiscard]] bool can_be_thinned(const Object &object);
// After load(), of what can be: each event counts that is the one in `one_in`, a power of two, by chance. Takes no
// privileges, as the memory is the programs' own. Throws Error: it cannot be mapped.
void thin_to(const Object &object, uint32_t one_in);

}  // namespace strata
