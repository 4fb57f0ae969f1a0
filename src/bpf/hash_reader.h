// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// All elements of a hash map, in batches: each one that is there during the whole reading once, others once or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace strata {

// `value_bytes`: of all CPUs. Throws Error.
void each_element(int map, uint32_t key_bytes, size_t value_bytes,
                  const std::function<void(const std::byte *key, const std::byte *value)> &fn);

}  // namespace strata
