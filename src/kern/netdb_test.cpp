// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/netdb.h"

#include <netdb.h>

#include "base/test.h"

namespace strata {

TEST_CASE("the names of what a C library says of a host that it did not find") {
  CHECK(eai_name(EAI_NONAME) == "EAI_NONAME");
  CHECK(eai_name(EAI_AGAIN) == "EAI_AGAIN");
  CHECK(eai_name(EAI_SYSTEM) == "EAI_SYSTEM");
  CHECK(eai_name(EAI_OVERFLOW) == "EAI_OVERFLOW");
  CHECK(eai_name(-99) == "EAI -99");
  CHECK(h_errno_name(HOST_NOT_FOUND) == "HOST_NOT_FOUND");
  CHECK(h_errno_name(TRY_AGAIN) == "TRY_AGAIN");
  CHECK(h_errno_name(NO_RECOVERY) == "NO_RECOVERY");
  CHECK(h_errno_name(NO_DATA) == "NO_DATA");
  CHECK(h_errno_name(-1) == "h_errno -1");
}

}  // namespace strata
