// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the trackers of procedures that end at a disk share: samples and their account, and the names of disks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "follow/chain.h"
#include "follow/disk_names.h"

namespace strata {

extern const std::span<const RecordType *const> kBlockRecords;  // of such a chain
const RecordType &block_record_of(const void *record);          // as Chain::record_of
uint32_t block_process_of(const void *record);                  // as Chain::process_of

class BlockTracker : public ChainTracker {
 public:
  BlockTracker(const Procedure &procedure, Collector::Done done, Disks disks, const Thresholds &thresholds);

  void name_first(const void *record, const Take &take) override;
  bool on_name(const RecordType &type, const void *name) override;
  [[nodiscard]] const Collector &collector() const override { return collector_; }
  // Samples whose data the kernel says are there though no hook saw the completion.
  [[nodiscard]] Loss missed() const override { return {.reason = "completions that no hook saw", .count = missed_}; }
  [[nodiscard]] const Account &account() const { return collector_.account(); }

 protected:
  Collector collector_;
  DiskNames disks_;
  uint64_t missed_ = 0;
};

}  // namespace strata
