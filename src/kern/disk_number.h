// Block devices by name.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

// The kernel's dev_t of a whole disk, "sda" or "/dev/mapper/root". Throws Error: there is none, or it is a partition.
uint32_t disk_number(const std::string &name, const std::string &sysfs = "/sys");

}  // namespace strata
