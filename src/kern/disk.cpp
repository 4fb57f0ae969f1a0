#include "kern/disk.h"

#include <fstream>

namespace strata {

const std::string &Disks::name(uint32_t dev) {
  auto [entry, added] = names_.try_emplace(dev);
  if (!added) return entry->second;
  const std::string number = std::to_string(kernel_major(dev)) + ":" + std::to_string(kernel_minor(dev));
  std::ifstream file(sysfs_ + "/dev/block/" + number + "/uevent");
  constexpr std::string_view kKey = "DEVNAME=";
  entry->second = number;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kKey)) entry->second = line.substr(kKey.size());
  }
  return entry->second;
}

}  // namespace strata
