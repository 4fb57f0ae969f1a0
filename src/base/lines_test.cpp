// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/lines.h"

#include "base/test.h"

namespace strata {

TEST_CASE("lines, the last one with or without its end, and none") {
  std::string line;
  Lines lines = Lines::of("one\n\nthree");
  CHECK((lines.next(line) && line == "one"));
  CHECK((lines.next(line) && line.empty()));
  CHECK((lines.next(line) && line == "three"));
  CHECK_FALSE(lines.next(line));
  CHECK_FALSE(Lines::of("").next(line));
  CHECK_FALSE(Lines("/nonexistent").next(line));
  CHECK(first_line("/nonexistent").empty());
  CHECK(number_in<uint32_t>("/proc/sys/kernel/pid_max").value_or(0) > 0);
  CHECK_FALSE(number_in<uint32_t>("/proc/sys/kernel/ostype"));
}

}  // namespace strata
