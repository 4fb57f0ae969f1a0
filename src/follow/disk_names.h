// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names of the disks in a chain's records, which a recording has before the first one that needs it.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "follow/chain.h"
#include "kern/disk.h"

namespace strata {

class DiskNames : public Disks {
 public:
  explicit DiskNames(Disks disks = Disks()) : Disks(std::move(disks)) {}

  void name_first(uint32_t dev, const ChainTracker::Take &take);  // as ChainTracker does, of one disk; 0 is none
  bool on_name(const RecordType &type, const void *name);         // as there

 private:
  std::set<uint32_t> told_;
};

}  // namespace strata
