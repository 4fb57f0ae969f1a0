// Names of numbers that mean something on one machine only, as a recording has them: before the first record that needs
// one.
#pragma once

#include <cstdint>

#include "rec/wire.h"

namespace strata {

struct disk_name {
  uint64_t dev;  // the kernel's dev_t
  char name[32];
};
struct cgroup_name {
  uint64_t id;
  char path[4096];  // below the mount point of cgroup v2
};

struct irq_name {
  uint64_t irq;
  char name[120];  // of all its handlers
};

extern const Wire kDiskWire, kCgroupWire, kIrqNameWire;

}  // namespace strata
