// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/free_ranges.h"

#include "base/test.h"

namespace strata {

TEST_CASE("ranges of a table are given out where they fit, and never twice") {
  FreeRanges free;
  CHECK_FALSE(free.take(1));
  free.add(0, 10);
  free.add(20, 3);
  free.add(30, 0);
  CHECK(free.take(4) == 0U);
  CHECK_FALSE(free.take(7));
  CHECK(free.take(6) == 4U);
  CHECK(free.take(3) == 20U);
  CHECK_FALSE(free.take(1));
  free.add(4, 6);
  CHECK(free.take(5) == 4U);
  free.clear();
  CHECK_FALSE(free.take(1));
}

}  // namespace strata
