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

TEST_CASE("a cgroup that is gone is asked for, before and after the look at those that are there") {
  char folder[] = "/tmp/cgroups.XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string root = folder;
  struct stat status {};
  REQUIRE(stat(folder, &status) == 0);
  int asked = 0;
  Cgroups groups(root);
  groups.ask_also([&](uint64_t id) -> std::string {
    asked++;
    if (id == 1) return "/early.service";
    return id == 2 && asked == 3 ? "/late.service" : "";  // removed while the directories were read
  });
  CHECK(groups.path(1) == "/early.service");
  CHECK(asked == 1);
  CHECK(groups.path(2) == "/late.service");
  CHECK(asked == 3);
  CHECK(groups.path(status.st_ino) == "/");  // known by now
  CHECK(groups.path(3) == "cgroup 3");
  CHECK(asked == 5);
  for (const uint64_t id : {1, 2, 3}) groups.path(id);
  CHECK(asked == 5);  // remembered
  rmdir(folder);
}

TEST_CASE("the cgroup of a process, on a host of v1 and v2") {
  char folder[] = "/tmp/cgroups.XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string root = folder, group = root + "/a b.service", process = root + "/4711";
  REQUIRE(mkdir(group.c_str(), 0700) == 0);
  REQUIRE(mkdir(process.c_str(), 0700) == 0);
  struct stat status {};
  REQUIRE(stat(group.c_str(), &status) == 0);
  std::ofstream(process + "/cgroup") << "8:pids:/\n1:name=systemd:/none\n0::/a b.service\n";
  CHECK(cgroup_of_process(4711, root, root) == status.st_ino);
  CHECK(cgroup_of_process(4712, root, root) == 0);
  CHECK(cgroup_of_process(4711, "", root) == 0);  // cgroup v2 is not mounted
  std::ofstream(process + "/cgroup") << "0::/a b.service (deleted)\n";
  CHECK(cgroup_of_process(4711, root, root) == 0);
  unlink((process + "/cgroup").c_str());
  for (const std::string &one : {process, group, root}) rmdir(one.c_str());
}

}  // namespace strata
