#include "kern/meminfo.h"

#include <fstream>
#include <string>

namespace strata {

uint64_t meminfo_bytes(std::string_view key, std::istream &in) {
  for (std::string name; in >> name; in.ignore(256, '\n')) {
    uint64_t kib = 0;
    if (name.size() == key.size() + 1 && name.back() == ':' && name.starts_with(key) && in >> kib) return kib * 1024;
    in.clear();
  }
  return 0;
}

CacheSize cache_size() {
  std::ifstream buffers("/proc/meminfo"), cached("/proc/meminfo");
  return {.buffers_bytes = meminfo_bytes("Buffers", buffers), .cached_bytes = meminfo_bytes("Cached", cached)};
}

}  // namespace strata
