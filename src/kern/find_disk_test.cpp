// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/find_disk.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// A sysfs with one disk of two partitions, and a disk of the device mapper on it.
class Sysfs {
 public:
  Sysfs() {
    REQUIRE(mkdtemp(root_) != nullptr);
    add("devices/nvme0n1", "259:0");
    fs::create_directories(root() + "/devices/nvme0n1/mq");
    add("devices/nvme0n1/nvme0n1p2", "259:2");
    write("devices/nvme0n1/nvme0n1p2/partition", "2");
    write("devices/nvme0n1/nvme0n1p2/start", "4096");
    write("devices/nvme0n1/nvme0n1p2/size", "8192");
    add("devices/dm-0", "254:0");
    fs::create_directories(root() + "/devices/dm-0/slaves/nvme0n1p2");
    add("devices/ram0", "1:0");
  }
  ~Sysfs() { fs::remove_all(root_); }

  [[nodiscard]] std::string root() const { return root_; }

 private:
  void write(const std::string &file, const std::string &text) const {
    std::ofstream(root() + "/" + file) << text << '\n';
  }
  void add(const std::string &folder, const std::string &dev) const {
    fs::create_directories(root() + "/" + folder);
    fs::create_directories(root() + "/class/block");
    fs::create_directories(root() + "/dev/block");
    write(folder + "/dev", dev);
    const std::string name = folder.substr(folder.rfind('/') + 1);
    fs::create_directory_symlink(root() + "/" + folder, root() + "/class/block/" + name);
    fs::create_directory_symlink(root() + "/" + folder, root() + "/dev/block/" + dev);
  }

  char root_[32] = "/tmp/strata-sysfs-XXXXXX";
};

std::string message(const std::string &name, const std::string &sysfs) {
  try {
    find_disk_with_requests(name, sysfs);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a disk is found whole, a partition as a range of it") {
  const Sysfs sysfs;
  const FoundDisk disk = find_disk("nvme0n1", sysfs.root());
  CHECK(disk.dev == 259U << 20);
  CHECK(disk.end == 0);
  CHECK(disk.has_requests);
  const FoundDisk part = find_disk("nvme0n1p2", sysfs.root());
  CHECK(part.dev == 259U << 20);
  CHECK(part.begin == 4096);
  CHECK(part.end == 12288);
  CHECK(part.has_requests);
}

TEST_CASE("a disk without requests names those below it") {
  const Sysfs sysfs;
  CHECK(find_disk("dm-0", sysfs.root()).below == std::vector<std::string>{"nvme0n1p2"});
  CHECK(message("dm-0", sysfs.root()) ==
        "the I/O of dm-0 does not become requests, but goes on to other disks (try: nvme0n1p2)");
  CHECK(message("ram0", sysfs.root()).starts_with("the I/O of ram0 does not become requests"));
  CHECK(message("nvme0n1", sysfs.root()).empty());
}

TEST_CASE("what is no disk") {
  const Sysfs sysfs;
  CHECK(message("sdz", sysfs.root()) == "no such disk: 'sdz' (try: lsblk)");
  CHECK(message("", sysfs.root()) == "no such disk: '' (try: lsblk)");
  CHECK(message("..", sysfs.root()) == "no such disk: '..' (try: lsblk)");
  CHECK(message("a\nb", sysfs.root()) == "no such disk: 'a\\x0ab' (try: lsblk)");
  CHECK(message("/dev/null", sysfs.root()) == "not a block device: /dev/null");
  CHECK(message("/nonexistent", sysfs.root()).starts_with("no such disk: /nonexistent"));
}

}  // namespace strata
