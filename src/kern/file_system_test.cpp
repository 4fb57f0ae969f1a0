// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/file_system.h"

#include "base/test.h"
#include "lib/fs/names.h"

namespace strata {

TEST_CASE("file systems have the numbers that recordings and BPF programs know") {
  CHECK(file_systems().size() == FS_TYPES);
  CHECK(file_system_name(0) == "ext4");
  CHECK(file_system_name(9) == "overlay");
  CHECK(file_system_name(10) == "?");
  CHECK(file_system_name(UINT32_MAX) == "?");
}

TEST_CASE("a type is found by its first entry") {
  REQUIRE(find_file_system("nfs") != nullptr);
  CHECK(find_file_system("nfs")->registered == "nfs");
  CHECK(find_file_system("ext9") == nullptr);
}

}  // namespace strata
