// Where strata gethostlatency looks: the C libraries, and the lookups that are still under way at the end.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "bpf/object.h"
#include "gethostlatency.rows.h"
#include "gethostlatency/lookup.h"
#include "subsys/library_probes.h"

namespace strata {
namespace {

bool is_c_library(std::string_view file) {
  return file == "libc.so.6" || file == "libc.so" || file.starts_with("libc-2.") || file.starts_with("ld-musl-") ||
         file.starts_with("libc.musl-");
}

constexpr std::string_view kUsual[] = {
    "/lib/x86_64-linux-gnu/libc.so.6",  "/lib64/libc.so.6", "/lib/i386-linux-gnu/libc.so.6", "/lib32/libc.so.6",
    "/lib/aarch64-linux-gnu/libc.so.6", "/lib/libc.so.6",   "/lib/ld-musl-x86_64.so.1",      "/lib/ld-musl-i386.so.1",
    "/lib/ld-musl-aarch64.so.1",
};

constexpr LibraryFunctions kFunctions = {.library = "C library",
                                         .names = kCalls,
                                         .begin = "lookup_begin",
                                         .end = "lookup_end",
                                         .is_library = is_c_library,
                                         .usual = kUsual};

// Nobody waits for them any more; what they ask for is known unless it was not in memory.
void take_under_way(const Object &object, uint64_t min_ns, const EventsMoments::Take &take) {
  const std::vector<std::byte> lines = object.memory(".bss");
  const uint64_t now = monotonic_ns();
  for (size_t at = 0; at + sizeof(lookup) <= lines.size(); at += sizeof(lookup)) {
    lookup one;
    memcpy(&one, lines.data() + at, sizeof(one));
    host_event &e = one.e;
    if (one.tid == 0 || one.read == 0 || now - e.ts_ns < min_ns) continue;
    e.lat_ns = now - e.ts_ns;
    e.ts_ns = now;
    e.outcome = HOST_UNDER_WAY;
    e.name[sizeof(e.name) - 1] = '\0';
    take(&e, offsetof(host_event, name) + strlen(e.name) + 1);
  }
}

}  // namespace
}  // namespace strata
