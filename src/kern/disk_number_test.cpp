#include "kern/disk_number.h"

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/test.h"
#include "kern/disk.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a disk is found by its name, a partition refused with its disk's") {
  const fs::path root = fs::temp_directory_path() / "strata-disk-number-test";
  fs::remove_all(root);
  fs::create_directories(root / "devices/zz0/zz0p1");
  fs::create_directories(root / "class/block");
  std::ofstream(root / "devices/zz0/dev") << "259:7\n";
  std::ofstream(root / "devices/zz0/zz0p1/dev") << "259:8\n";
  std::ofstream(root / "devices/zz0/zz0p1/partition") << "1\n";
  fs::create_symlink(root / "devices/zz0", root / "class/block/zz0");
  fs::create_symlink(root / "devices/zz0/zz0p1", root / "class/block/zz0p1");

  CHECK(disk_number("zz0", root) == kernel_dev(259, 7));
  CHECK(disk_number("/dev/zz0", root) == kernel_dev(259, 7));
  CHECK_THROWS_AS(disk_number("zz0p1", root), Error);
  CHECK_THROWS_AS(disk_number("zz1", root), Error);
  CHECK_THROWS_AS(disk_number("", root), Error);
  CHECK_THROWS_AS(disk_number("../zz0\n", root), Error);
  fs::remove_all(root);
}

}  // namespace
}  // namespace strata
