// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/cgroup.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/test.h"

namespace strata {

TEST_CASE("a cgroup is named by its directory, or as it is shown") {
  char folder[] = "/tmp/cgroups.XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string root = folder, group = root + "/system.slice";
  REQUIRE(mkdir(group.c_str(), 0700) == 0);
  std::ofstream(root + "/cgroup.controllers").close();
  std::ofstream(group + "/cgroup.controllers").close();
  CHECK(cgroup_directory(group, root) == group);
  CHECK(cgroup_directory("/system.slice", root) == root + "//system.slice");
  CHECK(cgroup_directory("system.slice", root) == group);
  CHECK(cgroup_id(cgroup_directory("/", root)) == cgroup_id(root));
  CHECK(cgroup_directory("/none", root) == "/none");
  CHECK(cgroup_directory("", root).empty());
  CHECK(cgroup_directory("/system.slice", "") == "/system.slice");
  unlink((group + "/cgroup.controllers").c_str());
  unlink((root + "/cgroup.controllers").c_str());
  rmdir(group.c_str());
  rmdir(folder);
}

}  // namespace strata
