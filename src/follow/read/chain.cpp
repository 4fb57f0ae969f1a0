// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/read/chain.h"

#include <utility>

#include "follow/block_tracker.h"
#include "follow/read/tracker.h"
#include "follow/write/attach_mode.h"
#include "follow/write/hops.h"
#include "follow/write/root.h"
#include "follow/write/tracker.h"
#include "kern/disk.h"

namespace strata {
namespace {

std::unique_ptr<ChainTracker> track(const follow_attach_mode &, Collector::Done done, bool here,
                                    const Thresholds &thresholds) {
  return std::make_unique<ReadTracker>(std::move(done), here ? Disks() : Disks("/nonexistent"), thresholds);
}

}  // namespace

const Chain kReadChain = {
    .name = "read",
    .procedure = kReadProcedure,
    .hooks = kReadHooks,
    .path_hooks = kReadPathHooks,
    .set_path = set_root,
    .records = kBlockRecords,
    .record_of = block_record_of,
    .process_of = block_process_of,
    .losses = kFollowLosses,
    .choose_attach_mode = choose_read_mode,
    .track = track,
};

}  // namespace strata
