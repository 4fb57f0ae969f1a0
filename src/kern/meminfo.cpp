// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/meminfo.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/lines.h"

namespace strata {

uint64_t meminfo_bytes(std::string_view key, Lines &meminfo) {
  for (std::string line; meminfo.next(line);) {
    if (!line.starts_with(key) || line.substr(key.size(), 1) != ":") continue;
    const size_t digit = std::min(line.find_first_of("0123456789"), line.size());
    uint64_t kib = 0;
    std::from_chars(line.data() + digit, line.data() + line.size(), kib);
    return kib * 1024;
  }
  return 0;
}

CacheSize cache_size() {
  Lines buffers("/proc/meminfo"), cached("/proc/meminfo");
  return {.buffers_bytes = meminfo_bytes("Buffers", buffers), .cached_bytes = meminfo_bytes("Cached", cached)};
}

}  // namespace strata
