// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/meminfo.h"

#include "base/test.h"

namespace strata {
namespace {

uint64_t bytes(std::string_view key, const std::string &text) {
  Lines in = Lines::of(text);
  return meminfo_bytes(key, in);
}

TEST_CASE("sizes of the page cache") {
  const std::string text = "MemTotal:  8 kB\nBuffers:   7 kB\nCached:  123456 kB\nSwapCached:  9 kB\n";
  CHECK(bytes("Cached", text) == 123456 * 1024);
  CHECK(bytes("Buffers", text) == 7 * 1024);
  CHECK(bytes("SwapCached", text) == 9 * 1024);
}

TEST_CASE("text that says nothing of the page cache") {
  CHECK(bytes("Cached", "") == 0);
  CHECK(bytes("Cached", "Cached") == 0);
  CHECK(bytes("Cached", "Cached: many kB\nCachedX: 1 kB\n") == 0);
  CHECK(bytes("Cached", "SwapCached: 1 kB\nCached: 2 kB") == 2048);
}

}  // namespace
}  // namespace strata
