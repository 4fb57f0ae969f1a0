// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/disk_names.h"

#include "base/text.h"
#include "rec/names.h"

namespace strata {

void DiskNames::name_first(uint32_t dev, const ChainTracker::Take &take) {
  if (dev == 0 || !told_.insert(dev).second) return;
  disk_name disk = {.dev = dev, .name = {}};
  name(dev).copy(disk.name, sizeof(disk.name));
  take(kDiskRecord, &disk);
}

bool DiskNames::on_name(const RecordType &type, const void *name) {
  if (&type != &kDiskRecord) return false;
  const auto &disk = *static_cast<const disk_name *>(name);
  set(static_cast<uint32_t>(disk.dev), cstr(disk.name));
  return true;
}

}  // namespace strata
