// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/open_flags.h"

#include <fcntl.h>

#include "base/test.h"

namespace strata {

TEST_CASE("flags of an open have names") {
  CHECK(open_flags_text(0) == "O_RDONLY");
  CHECK(open_flags_text(O_RDWR | O_CREAT | O_CLOEXEC) == "O_RDWR|O_CREAT|O_CLOEXEC");
  CHECK(open_flags_text(O_WRONLY | O_SYNC) == "O_WRONLY|O_SYNC");
  CHECK(open_flags_text(O_WRONLY | O_DSYNC) == "O_WRONLY|O_DSYNC");
  CHECK(open_flags_text(O_RDWR | O_TMPFILE) == "O_RDWR|O_TMPFILE");
  CHECK(open_flags_text(O_DIRECTORY) == "O_RDONLY|O_DIRECTORY");
  CHECK(open_flags_text(O_PATH | O_NOFOLLOW) == "O_PATH|O_NOFOLLOW");
  CHECK(open_flags_text(3) == "O_ACCMODE");
  CHECK(open_flags_text(O_PATH | 3) == "O_PATH|0x3");
  CHECK(open_flags_text(uint64_t{1} << 40 | O_APPEND) == "O_RDONLY|O_APPEND|0x10000000000");
}

#ifdef __x86_64__
TEST_CASE("what the kernel adds to the flags is left out") { CHECK(open_flags_text(0100000 | 1) == "O_WRONLY"); }
#endif

TEST_CASE("resolve flags and modes as they are written") {
  CHECK(resolve_text(0).empty());
  CHECK(resolve_text(4 | 8) == "RESOLVE_NO_SYMLINKS|RESOLVE_BENEATH");
  CHECK(resolve_text(0x60) == "RESOLVE_CACHED|0x40");
  CHECK(resolve_text(0x80) == "0x80");
  CHECK(mode_text(0644) == "0644");
  CHECK(mode_text(0) == "0000");
  CHECK(mode_text(0107777) == "107777");
}

TEST_CASE("only an open that may make a file has a mode") {
  CHECK(makes_a_file(O_CREAT));
  CHECK(makes_a_file(O_TMPFILE | O_RDWR));
  CHECK_FALSE(makes_a_file(O_DIRECTORY));
  CHECK_FALSE(makes_a_file(O_TRUNC | O_RDWR));
}

TEST_CASE("flags to look for: any of them, and O_SYNC is not O_DSYNC") {
  OpenFlagSet set;
  CHECK(add_open_flag(set, "O_RDONLY"));
  CHECK(add_open_flag(set, "O_RDWR"));
  CHECK(set.access == 0b101);
  CHECK(set.flags == 0);
  CHECK(add_open_flag(set, "O_SYNC"));
  CHECK((set.flags & O_DSYNC) == 0);
  CHECK(add_open_flag(set, "O_TMPFILE"));
  CHECK((set.flags & O_DIRECTORY) == 0);
  CHECK(add_open_flag(set, "O_PATH"));
  CHECK((set.flags & O_PATH) != 0);
  OpenFlagSet short_names;
  CHECK((add_open_flag(short_names, "CREAT") && add_open_flag(short_names, "o_excl")));
  CHECK((add_open_flag(short_names, "wronly") && add_open_flag(short_names, "Path")));
  CHECK(short_names.access == 0b010);
  CHECK(short_names.flags == (O_CREAT | O_EXCL | O_PATH));
  for (const char *wrong : {"", "O_", "O_CREATE", "_CREAT", "O_ACCMODE", "O_RDONLY|O_CREAT"}) {
    CHECK_FALSE(add_open_flag(set, wrong));
  }
}

}  // namespace strata
