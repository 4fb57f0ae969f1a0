// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/embedded.h"

#include <cstring>
#include <string>

#include "base/test.h"

namespace strata {
namespace {

// printf 'strata strata strata\n' | gzip -9n
constexpr unsigned char kGzip[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                                   0x2b, 0x2e, 0x29, 0x4a, 0x2c, 0x49, 0x54, 0x28, 0x46, 0xa6,
                                   0xb8, 0x00, 0x1e, 0x4e, 0x9f, 0xe5, 0x15, 0x00, 0x00, 0x00};

std::string inflated(std::span<const unsigned char> gzip) {
  size_t size = 1;
  const void *bytes = inflate_object(gzip, &size);
  if (bytes == nullptr) return size == 0 ? "refused" : "refused, with a size";
  return {static_cast<const char *>(bytes), size};
}

}  // namespace

TEST_CASE("an embedded object is inflated") { CHECK(inflated(kGzip) == "strata strata strata\n"); }

TEST_CASE("what is not a whole file of gzip is refused") {
  for (size_t size = 0; size < std::size(kGzip); ++size) CHECK(inflated({kGzip, size}) == "refused");
  for (size_t at = 10; at < std::size(kGzip); ++at) {  // after the header, which says only when and by whom
    unsigned char damaged[std::size(kGzip)];
    memcpy(damaged, kGzip, sizeof(damaged));
    damaged[at] ^= 0x41;
    CHECK(inflated(damaged) == "refused");
  }
}

}  // namespace strata
