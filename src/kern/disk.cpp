// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/disk.h"

#include "base/lines.h"
#include "kern/proc.h"

namespace strata {

const std::string &Disks::name(uint32_t dev) {
  auto [entry, added] = names_.try_emplace(dev);
  if (!added) return entry->second;
  const std::string number = std::to_string(kernel_major(dev)) + ":" + std::to_string(kernel_minor(dev));
  Lines file(sysfs_ + "/dev/block/" + number + "/uevent");
  const std::string name = value_of_key("DEVNAME", file);
  return entry->second = name.empty() ? number : name;
}

}  // namespace strata
