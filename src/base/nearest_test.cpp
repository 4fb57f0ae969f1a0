// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/nearest.h"

#include "base/test.h"

namespace strata {

TEST_CASE("what was meant is a letter in three away, or has other capitals") {
  constexpr std::string_view kWords[] = {"open", "openat", "read", "pread64", "ENOENT"};
  CHECK(nearest("opena", kWords) == "open");
  CHECK(nearest("opentat", kWords) == "openat");
  CHECK(nearest("raed", kWords).empty());
  CHECK(nearest("reads", kWords) == "read");
  CHECK(nearest("pread", kWords) == "read");
  CHECK(nearest("enoent", kWords) == "ENOENT");
  CHECK(nearest("moon", kWords).empty());
  CHECK(nearest("", kWords).empty());
  CHECK(nearest("read", {}).empty());
}

TEST_CASE("a message ends with it") {
  constexpr std::string_view kWords[] = {"openat"};
  CHECK(meant("openatt", kWords) == " (did you mean 'openat'?)");
  CHECK(meant("close", kWords).empty());
}

}  // namespace strata
