// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/block_tracker.h"

#include <utility>

#include "follow/write/wire.h"
#include "rec/names.h"

namespace strata {
namespace {

constexpr const RecordType *kRecords[] = {&kHopRecord, &kStartRecord, &kAttachModeRecord, &kDiskRecord,
                                          &kSampledRecord};

}  // namespace

const std::span<const RecordType *const> kBlockRecords = kRecords;

const RecordType &block_record_of(const void *record) { return record_of(*static_cast<const follow_hop *>(record)); }

uint32_t block_process_of(const void *record) {
  const auto &hop = *static_cast<const follow_hop *>(record);
  return hop.kind == HOP_ENTER ? hop.tgid : 0;
}

BlockTracker::BlockTracker(const Procedure &procedure, Collector::Done done, Disks disks, const Thresholds &thresholds)
    : collector_(procedure, std::move(done), thresholds), disks_(std::move(disks)) {}

void BlockTracker::name_first(const void *record, const Take &take) {
  disks_.name_first(static_cast<const follow_hop *>(record)->dev, take);
}

bool BlockTracker::on_name(const RecordType &type, const void *name) { return disks_.on_name(type, name); }

}  // namespace strata
