#include "kern/disk_number.h"

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/text.h"
#include "kern/disk.h"

namespace strata {

namespace fs = std::filesystem;

// Paths in /dev may be links, as those of the device mapper are.
uint32_t disk_number(const std::string &name, const std::string &sysfs) {
  std::error_code none;
  const fs::path real = fs::weakly_canonical(fs::path("/dev") / name, none);
  const std::string last = (real.empty() ? fs::path(name) : real).filename().string();
  const fs::path here = fs::path(sysfs) / "class/block" / last;
  uint32_t major = 0, minor = 0;
  char colon = '\0';
  std::ifstream file(here / "dev");
  if (last.empty() || !(file >> major >> colon >> minor)) throw Error("no such disk: " + printable(name));
  if (fs::exists(here / "partition", none)) {
    const std::string disk = fs::canonical(here, none).parent_path().filename().string();
    throw Error(printable(name) + " is a partition: I/O is seen at its disk (try: --disk " + printable(disk) + ")");
  }
  return kernel_dev(major, minor);
}

}  // namespace strata
