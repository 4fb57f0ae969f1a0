// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/write/chain.h"

#include <utility>

#include "follow/block_tracker.h"
#include "follow/write/attach_mode.h"
#include "follow/write/hops.h"
#include "follow/write/root.h"
#include "follow/write/tracker.h"
#include "kern/disk.h"

namespace strata {
namespace {

std::unique_ptr<ChainTracker> track(const follow_attach_mode &mode, Collector::Done done, bool here,
                                    const Thresholds &thresholds) {
  return std::make_unique<Tracker>(mode.until_writeback != 0, std::move(done), here ? Disks() : Disks("/nonexistent"),
                                   thresholds);
}

}  // namespace

const Chain kWriteChain = {
    .name = "write",
    .procedure = kWriteProcedure,
    .hooks = kWriteHooks,
    .path_hooks = kWritePathHooks,
    .set_path = set_root,
    .records = kBlockRecords,
    .record_of = block_record_of,
    .process_of = block_process_of,
    .losses = kFollowLosses,
    .choose_attach_mode = choose_write_mode,
    .track = track,
};

}  // namespace strata
