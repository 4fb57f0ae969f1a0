// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// From hops to samples of fsync: which bios, commits and flushes may have to do with each call, in whose name. What it
// waited for of them is decided when it has returned (waits.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "follow/block_tracker.h"
#include "follow/follow.h"
#include "follow/fsync/waits.h"
#include "follow/in_flight.h"
#include "follow/tracks.h"

namespace strata {

constexpr std::string_view kFsyncSkipped = "fsyncs not looked at, program skipped, already running on its CPU";

class FsyncTracker final : public BlockTracker, private Tracks::Owner {
 public:
  explicit FsyncTracker(Collector::Done done, Disks disks = Disks(), const Thresholds &thresholds = {});

  void on_record(const void *record, size_t size) override;
  void end(uint64_t sampled, const std::vector<Loss> &losses) override;
  [[nodiscard]] bool idle() const override { return flights_.empty(); }
  [[nodiscard]] bool calling() const override { return flights_.calling(); }

 private:
  struct InFlight : InFlightSample {
    uint64_t mapping = 0;
    uint32_t fs_dev = 0, disk = 0, tid = 0;
    uint64_t open = 0;  // bytes of its own that have not completed
    std::vector<Step> steps;
  };

  struct Flush {
    uint32_t thread = 0;  // that queued it
    std::vector<uint64_t> samples;
  };

  void start(const follow_start &start);
  void leave(const follow_hop &hop);
  void step(const follow_hop &hop, Step::Kind kind);
  void commit(const follow_hop &hop);
  void wait_for_data(const follow_hop &hop);
  void flush(const follow_hop &hop);
  void queue(const follow_hop &hop);
  void carry(Tracks::Track &track, InFlight &flight, const follow_hop &bio);
  bool end_flush(const follow_hop &hop);  // false: it is a bio with data
  [[nodiscard]] bool is_of(const InFlight &flight, const follow_hop &bio, Role &role) const;
  [[nodiscard]] std::string whose(const follow_hop &bio, Role role) const;

  [[nodiscard]] bool follows(uint64_t sample) const override { return flights_.contains(sample); }
  void passed(const Tracks::Extent &extent, const follow_hop &hop) override;
  void completed(const Tracks::Extent &extent, const Ranges &bytes, const follow_hop &hop) override;

  void finish(InFlight &flight, const Outcome &outcome, const std::string &reason = {});

  InFlightSamples<InFlight> flights_;
  Tracks tracks_{*this};
  std::map<uint32_t, uint32_t> committers_;  // threads, by the file system's device number
  std::map<uint64_t, std::string> files_;    // by mapping
  std::map<uint64_t, Flush> flushes_;        // without data, by the track
};

}  // namespace strata
