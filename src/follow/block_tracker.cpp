// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/block_tracker.h"

#include <utility>

#include "base/text.h"
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
  const uint32_t dev = static_cast<const follow_hop *>(record)->dev;
  if (dev == 0 || !told_.insert(dev).second) return;
  disk_name disk = {.dev = dev, .name = {}};
  disks_.name(dev).copy(disk.name, sizeof(disk.name));
  take(kDiskRecord, &disk);
}

bool BlockTracker::on_name(const RecordType &type, const void *name) {
  if (&type != &kDiskRecord) return false;
  const auto &disk = *static_cast<const disk_name *>(name);
  disks_.set(static_cast<uint32_t>(disk.dev), cstr(disk.name));
  return true;
}

}  // namespace strata
