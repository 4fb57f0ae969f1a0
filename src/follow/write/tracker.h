// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// From hops to samples: which hop belongs to which sample, and what became of each of its bytes. The BPF side reports
// conservatively what touches a sampled location; here the bytes are counted exactly.
//
// A byte of a sample is waiting (in the page cache, in no bio), queued (in a bio), done, failed or truncated. A bio
// that was queued while the copy may still have gone on is in doubt: its bytes keep waiting until a later bio, or an
// fsync that says that there is no more to write, decides.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "follow/block_tracker.h"
#include "follow/collector.h"
#include "follow/follow.h"
#include "follow/in_flight.h"
#include "follow/ranges.h"
#include "follow/tracks.h"
#include "kern/disk.h"
#include "model/loss.h"
#include "model/sample.h"

namespace strata {

// The names of bpf/follow/follow.h's losses, from LOSS_MARKS_FULL on.
constexpr std::string_view kFollowLosses[] = {"no room for pages", "no room for bios", "too many sampled calls at once",
                                              "write larger than 64 MiB"};
constexpr std::string_view kTooLarge = kFollowLosses[LOSS_TOO_LARGE - LOSS_MARKS_FULL];
// Where a sample would begin. Of 1,000 such writes one is missing among the samples, with --sample 1/1000.
constexpr std::string_view kWriteSkipped = "writes not looked at, program skipped, already running on its CPU";

class Tracker final : public BlockTracker, private Tracks::Owner {
 public:
  // `until_writeback`: a hook reports the end of writeback, so buffered samples end there.
  Tracker(bool until_writeback, Collector::Done done, Disks disks = Disks(), const Thresholds &thresholds = {});

  void on_record(const void *record, size_t size) override;
  void end(uint64_t sampled, const std::vector<Loss> &losses) override;
  [[nodiscard]] bool idle() const override { return flights_.empty(); }
  [[nodiscard]] bool calling() const override { return flights_.calling(); }

 private:
  struct InFlight : InFlightSample {
    uint64_t mapping = 0;
    uint32_t fs_dev = 0;
    uint64_t lo = 0, hi = 0;  // intended, then written
    uint32_t flags = 0;
    Ranges waiting, queued, truncated, failed;  // what is in none of them is done
    Ranges dirtied;                             // by clean-to-dirty events of this call
    Ranges unconfirmed;                         // waiting, and done if the bio in doubt came after the copy
    Ranges writeback;                           // done, and the end of writeback was not seen yet
    std::map<uint32_t, Ranges> syncs;           // threads in an fsync that began after the call
    std::set<uint32_t> fs_syncs;                // threads in a sync or syncfs that began after the call
    uint32_t stored = 0;                        // FILE_*: where the flusher wrote the data if no bio has them
    uint64_t queued_ns = 0;                     // the last bio
    std::string error;                          // of a bio
    uint64_t dirty_folios = 0;                  // in the hop at the end, which stands for neighbouring folios
  };

  using Extent = Tracks::Extent;
  using Track = Tracks::Track;

  void start(const follow_start &start);
  void again(const follow_hop &hop);
  void give_up(const follow_hop &hop);
  void leave(const follow_hop &hop);
  void dirty(const follow_hop &hop);
  void drop(const follow_hop &hop);  // or cut out by fallocate()
  void end_writeback(const follow_hop &hop);
  void enter_sync(const follow_hop &hop);
  void leave_sync(const follow_hop &hop);
  void enter_sync_fs(const follow_hop &hop);
  void leave_sync_fs(const follow_hop &hop);
  void write_inode(const follow_hop &hop);
  void queue(const follow_hop &hop);

  static void truncate(InFlight &flight, const Ranges &bytes);
  void carry(Track &track, InFlight &flight);
  [[nodiscard]] bool follows(uint64_t sample) const override { return flights_.contains(sample); }
  void passed(const Extent &extent, const follow_hop &hop) override;
  void completed(const Extent &extent, const Ranges &bytes, const follow_hop &hop) override;
  void add_hop(InFlight &flight, const follow_hop &hop);

  template <typename F>
  void each_of(uint64_t mapping, F &&fn);  // fn(InFlight &), which may end it
  template <typename F>
  void each_on(uint32_t fs_dev, F &&fn);     // the same of a file system, all if 0
  void move(InFlight &flight, uint64_t lo);  // the call wrote at `lo`, not where it seemed to
  void settle(InFlight &flight);             // ends it if nothing is open
  // Ends it if nothing is open: the kernel says that these bytes are durable, `stored` (FILE_*) where no bio has them.
  void prove(InFlight &flight, const Ranges &bytes, uint32_t stored);
  void complete_unseen(InFlight &flight,
                       const Ranges &bytes);  // they are on the device, and no hook saw the completion
  void finish(InFlight &flight, const Outcome &outcome, const std::string &reason = {});

  bool until_writeback_;
  InFlightSamples<InFlight> flights_;
  Tracks tracks_{*this};
  uint64_t last_ns_ = 0;  // of the records
};

}  // namespace strata
