// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/regex.h"

#include "base/error.h"
#include "base/test.h"

namespace strata {

TEST_CASE("a regular expression is found anywhere, unless it says where") {
  CHECK(Regex("b+").matches("abbc"));
  CHECK_FALSE(Regex("^b").matches("abbc"));
  CHECK(Regex("(/gcc|/cc1)$").matches("/usr/bin/gcc"));
  CHECK(Regex("").matches(""));
}

TEST_CASE("what is no regular expression is a wrong usage") {
  try {
    Regex("a(b");
    FAIL("no error");
  } catch (const Error &error) {
    CHECK(error.exit_status() == kUsageStatus);
    CHECK(std::string(error.what()).find("'a(b'") != std::string::npos);
  }
}

}  // namespace strata
