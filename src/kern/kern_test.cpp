// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/test.h"
#include "kern/cgroup.h"
#include "kern/disk.h"
#include "kern/errno.h"
#include "kern/path.h"
#include "kern/request.h"
#include "kern/syscall.h"

namespace strata {

TEST_CASE("error numbers have names, of either sign") {
  CHECK(errno_name(28) == "ENOSPC");
  CHECK(errno_name(-5) == "EIO");
  CHECK(errno_name(524) == "ENOTSUPP");
  CHECK(errno_name(4711) == "errno 4711");
  CHECK(errno_name(INT32_MIN) == "errno 2147483648");
  CHECK(errno_name(-(int64_t{1} << 32) - 5) == "errno 4294967301");
  CHECK(errno_name(INT64_MIN) == "errno 9223372036854775808");
}

TEST_CASE("block status as the kernel translates it") {
  CHECK(block_status_name(0).empty());
  CHECK(block_status_name(3) == "ENOSPC");
  CHECK(block_status_name(10) == "EIO");
  CHECK(block_status_name(13) == "EBUSY");
  CHECK(block_status_name(17) == "status 17");
  CHECK(block_status_name(19) == "EINVAL");
  CHECK(block_status_errno(0) == 0);
  CHECK(block_status_errno(255) == 5);
}

TEST_CASE("a request in words") {
  CHECK(request_text(0) == "read");
  CHECK(request_text(1 | 1U << 17 | 1U << 11 | 1U << 12) == "write fua sync meta");
  CHECK(request_text(2) == "flush");
  CHECK(request_text(1 | 1U << 14) == "write");
  CHECK(request_text(77) == "op 77");
}

TEST_CASE("system calls both ways") {
  CHECK(syscall_name(SYS_pwritev2) == "pwritev2");
  CHECK(syscall_number("fsync") == SYS_fsync);
  CHECK(syscall_number("no_such_call") == -1);
  CHECK(syscall_name(99999) == "syscall 99999");
  CHECK(syscall_number("mseal") == 462);
#ifdef __x86_64__
  CHECK(syscall32_name(4) == "write");
  CHECK(syscall32_number("openat") == 295);
  CHECK(syscall32_numbers("sendfile") == std::vector<size_t>{187, 239});
  CHECK(syscall32_numbers("pread64") == std::vector<size_t>{180});
  CHECK(syscall32_numbers("no_such_call").empty());
#endif
}

TEST_CASE("a disk by its number, also one that is gone") {
  char folder[] = "/tmp/strata-disk-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string block = std::string(folder) + "/dev/block/259:2";
  std::filesystem::create_directories(block);
  std::ofstream(block + "/uevent") << "MAJOR=259\nMINOR=2\nDEVNAME=nvme0n1p2\nDEVTYPE=partition\n";
  Disks disks(folder);
  CHECK(disks.name(259U << 20 | 2) == "nvme0n1p2");
  CHECK(disks.name(259U << 20 | 300) == "259:300");
  std::filesystem::remove_all(folder);
  CHECK(disks.name(259U << 20 | 2) == "nvme0n1p2");
}

TEST_CASE("a control group by its number, also one that is gone") {
  char folder[] = "/tmp/strata-cgroup-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string inner = std::string(folder) + "/system.slice/cron service";
  std::filesystem::create_directories(inner);
  struct stat root {
  }, group{};
  REQUIRE((stat(folder, &root) == 0 && stat(inner.c_str(), &group) == 0));
  Cgroups groups(folder);
  CHECK(groups.path(group.st_ino) == "/system.slice/cron service");
  CHECK(groups.path(root.st_ino) == "/");
  std::filesystem::remove_all(folder);
  CHECK(groups.path(group.st_ino) == "/system.slice/cron service");
  CHECK(groups.path(UINT64_MAX) == "cgroup 18446744073709551615");
  CHECK(Cgroups("").path(1) == "cgroup 1");
}

TEST_CASE("a path from its names, from the file up") {
  const auto path = [](std::string_view names, uint32_t whole) {
    path_names got = {.bytes = static_cast<uint32_t>(names.size()), .whole = whole, .names = {}};
    names.copy(got.names, sizeof(got.names));
    return path_of(got);
  };
  CHECK(path({"syslog\0log\0var\0", 15}, 1) == "/var/log/syslog");
  CHECK(path({"syslog\0log\0", 11}, 0) == ".../log/syslog");
  CHECK(path("", 1) == "/");
  CHECK(path("", 0) == "...");
  CHECK(path("no end", 1) == "/no end");
  path_names full = {.bytes = UINT32_MAX, .whole = 1, .names = {}};
  memset(full.names, 'a', sizeof(full.names));
  CHECK(path_of(full).size() == 1 + sizeof(full.names));
}

}  // namespace strata
