// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How much memory the page cache takes, as /proc/meminfo says.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/lines.h"

namespace strata {

struct CacheSize {
  uint64_t buffers_bytes = 0;  // pages of block devices: metadata, and raw reads and writes
  uint64_t cached_bytes = 0;   // pages of files, tmpfs and shared memory included
};

CacheSize cache_size();                                        // of this machine; zeros if it does not say
uint64_t meminfo_bytes(std::string_view key, Lines &meminfo);  // "Cached"; 0 if it is not there

}  // namespace strata
