#include "kern/disk_number.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/text.h"
#include "kern/disk.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// The device's directory in sysfs: by the number of a special file, whose name may be anything, or by the kernel's
// name.
fs::path place_of(const std::string &name, const fs::path &sysfs) {
  struct stat file = {};
  if (stat((fs::path("/dev") / name).c_str(), &file) == 0 && S_ISBLK(file.st_mode)) {
    return sysfs / "dev/block" / (std::to_string(major(file.st_rdev)) + ":" + std::to_string(minor(file.st_rdev)));
  }
  return sysfs / "class/block" / fs::path(name).filename();
}

}  // namespace

uint32_t disk_number(const std::string &name, const std::string &sysfs) {
  const fs::path place = place_of(name, sysfs);
  uint32_t major = 0, minor = 0;
  char colon = '\0';
  std::ifstream file(place / "dev");
  if (name.empty() || !(file >> major >> colon >> minor)) throw Error("no such disk: " + printable(name));
  std::error_code none;
  if (fs::exists(place / "partition", none)) {
    const std::string disk = fs::canonical(place, none).parent_path().filename().string();
    throw Error(printable(name) + " is a partition: I/O is seen at its disk (try: --disk " + printable(disk) + ")");
  }
  return kernel_dev(major, minor);
}

}  // namespace strata
