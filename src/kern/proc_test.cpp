// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/proc.h"

#include "base/test.h"

namespace strata {
namespace {

template <typename Parse>
auto parsed(const char *text, Parse parse) {
  Lines file = Lines::of(text);
  return parse(file);
}

}  // namespace

TEST_CASE("functions are the text symbols of kallsyms, those of modules too") {
  CHECK(text_symbol("0000000000000000 T vfs_write") == "vfs_write");
  CHECK(text_symbol("ffffffffc0001000 t __traceiter_nvme_sq\t[nvme_core]") == "__traceiter_nvme_sq");
  for (const char *line : {"0000000000000000 D jiffies", "0000000000000000 T", "0000000000000000 T ", "broken", ""})
    CHECK(text_symbol(line).empty());
}

TEST_CASE("a process's status: a name that looks like a key is none") {
  const char *status = "Name:\tTgid: 7 CapEff:\t1\nTgid:\t42\nPid:\t43\nCapEff:\t000001ffffffffff\n";
  CHECK(parsed(status, thread_group) == 42);
  CHECK(parsed(status, effective_capabilities) == 0x1ffffffffff);
  CHECK(parsed("Name:\tx\n", thread_group) == 0);
  CHECK(parsed("CapEff:\tmany\n", effective_capabilities) == 0);
}

TEST_CASE("the chosen one of several words") {
  CHECK(chosen_word("none [integrity] confidentiality") == "integrity");
  CHECK(chosen_word("none] [integrity]") == "integrity");
  CHECK(chosen_word("none integrity").empty());
  CHECK(chosen_word("none [integrity").empty());
}

TEST_CASE("mounts") {
  const auto cgroup2 = [](Lines &mounts) { return mount_point_of("cgroup2", mounts); };
  CHECK(parsed("proc /proc proc rw 0 0\nnone /sys/fs/cgroup cgroup2 rw 0 0\n", cgroup2) == "/sys/fs/cgroup");
  CHECK(parsed("proc /proc proc rw 0 0\n", cgroup2).empty());
  const auto of_29 = [](Lines &mountinfo) { return mounted_device(29, mountinfo); };
  CHECK(parsed("28 1 8:1 / / rw - ext4 /dev/sda1 rw\n29 1 0:24 / /x rw - btrfs /dev/vdb rw\n", of_29) == 24U);
  CHECK(parsed("29 1 259:3 / / rw - xfs /dev/nvme0n1p3 rw\n", of_29) == (259U << 20 | 3));
  CHECK_FALSE(parsed("28 1 8:1 / / rw\nbroken\n", of_29));
}

TEST_CASE("keys of a uevent") {
  const auto name = [](Lines &uevent) { return value_of_key("DEVNAME", uevent); };
  CHECK(parsed("MAJOR=259\nDEVNAME=nvme0n1p2\nDEVNAMES=x\n", name) == "nvme0n1p2");
  CHECK(parsed("MAJOR=259\n", name).empty());
}

}  // namespace strata
