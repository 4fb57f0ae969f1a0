// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/user_functions.h"

#include "base/test.h"

namespace strata {

TEST_CASE("a library is known by its short name") {
  for (const char *name : {"c", "libc", "libc.so.6"}) CHECK(is_library_called("libc.so.6", name));
  for (const char *file : {"libc.so", "libc-2.31.so", "ld-musl-x86_64.so.1", "libc.musl-x86_64.so.1"})
    CHECK(is_library_called(file, "c"));
  CHECK(is_library_called("libstdc++.so.6.0.30", "stdc++"));
  CHECK(is_library_called("libpthread-2.31.so", "pthread"));
  CHECK(is_library_called("libssl.so.3", "ssl"));

  for (const char *file :
       {"libcrypt.so.1", "libc_malloc_debug.so.0", "libc++.so.1", "libc-client.so.1", "libc.a", "c", ""})
    CHECK_FALSE(is_library_called(file, "c"));
  CHECK_FALSE(is_library_called("libc.so.6", "libc.so"));
}

}  // namespace strata
