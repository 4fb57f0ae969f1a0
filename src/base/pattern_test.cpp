// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/pattern.h"

#include "base/test.h"

namespace strata {

TEST_CASE("a pattern with wildcards matches all of a text, another one any part") {
  CHECK(pattern_matches("shop", "/srv/shop.conf"));
  CHECK(pattern_matches("*.conf", "/srv/shop.conf"));
  CHECK(pattern_matches("*.example.org", "db.example.org"));
  CHECK(pattern_matches("", "anything"));
  for (const char *pattern : {"shop?", "*.con", "[s]rv", "Shop"})
    CHECK_FALSE(pattern_matches(pattern, "/srv/shop.conf"));
}

}  // namespace strata
