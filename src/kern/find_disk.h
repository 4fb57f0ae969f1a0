// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A disk or a partition by the name that a person gives it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strata {

struct FoundDisk {
  uint32_t dev = 0;                // of the whole disk, the kernel's own dev_t
  uint64_t begin = 0, end = 0;     // sectors of the partition; 0, 0: all of the disk
  bool has_requests = true;        // false: a stacked device (dm, md) or one in memory, whose I/O stays bios
  std::vector<std::string> below;  // the disks that a stacked one is made of
};

// "nvme0n1", "sda2", "/dev/disk/by-label/data"; throws Error: no such disk, not a block device.
FoundDisk find_disk(const std::string &name, const std::string &sysfs = "/sys");
// The same, of a disk whose I/O becomes requests; throws Error if it does not, and says which disks to look at.
FoundDisk find_disk_with_requests(const std::string &name, const std::string &sysfs = "/sys");

}  // namespace strata
