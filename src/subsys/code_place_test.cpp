// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/code_place.h"

#include "base/error.h"
#include "base/test.h"

namespace strata {

TEST_CASE("an instruction is in a function, or in one of a file or the kernel") {
  const Instruction user = {
      .address = 0x7f12340064e1, .function = "qsort+0x1c", .file = "libc.so.6", .address_in_file = 0x64e1};
  const Instruction stripped = {
      .address = 0x7f12340064e1, .function = "dd:fn@0x64e0+0x1", .file = "dd", .address_in_file = 0x64e1};
  const Instruction kernel = {.address = 0xffffffff81000010, .function = "vfs_read.part.0+0x10 [xfs]", .kernel = true};
  const Instruction cpp = {.address = 1, .function = "ns::swap(int&)+0x0", .file = "prog"};

  for (const char *place : {"qsort", "c:qsort", "libc:qs*", "u:/lib/libc.so.6:qsort", "0x7f12340064e1-0x7f12340064e2",
                            "libc.so.6:64e0-64f0"})
    CHECK(CodePlace(place).has(user));
  for (const char *place : {"qsor", "qsort_r", "k:qsort", "dd:qsort", "64e0-64f0", "0x7f12340064e2-0x7f12340064ff",
                            "libc.so.6:64d0-64e1", "dd:64e0-64f0", "libc.so.6"})
    CHECK_FALSE(CodePlace(place).has(user));

  CHECK(CodePlace("dd:fn@0x64e0").has(stripped));
  CHECK_FALSE(CodePlace("dd:fn@0x64").has(stripped));
  for (const char *place : {"vfs_read", "k:vfs_read", "k:xfs:vfs_read", "ffffffff81000000-ffffffff81001000"})
    CHECK(CodePlace(place).has(kernel));
  for (const char *place : {"k:ext4:vfs_read", "c:vfs_read", "vfs_read.part.1"})
    CHECK_FALSE(CodePlace(place).has(kernel));
  for (const char *place : {"ns::swap", "ns::swap(int&)", "prog:ns::swap"}) CHECK(CodePlace(place).has(cpp));
}

TEST_CASE("what names no instructions is refused, and no duration is taken for a place") {
  for (const char *text : {"t:sched:sched_switch", "0x20-0x20", "0x20-0x10", "qsort+0x1c", "dd:"})
    CHECK_THROWS_AS(CodePlace(text), Error);
  for (const char *word : {"main", "0x10-0x20", "10-20", "c:malloc", "_start"}) CHECK(CodePlace::is_one(word));
  for (const char *word : {"10", "5s", "1.5", "-d", "--ip", ""}) CHECK_FALSE(CodePlace::is_one(word));
}

}  // namespace strata
