// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// From hops to samples of reads: which bios had to do with the call, whose they were, and where its bytes came from.
//
// A read is over when its call is, so the bytes need no account of their own: those in its own bios came from the
// device, those in somebody else's that was under way were waited for, and the others were there. Only what aio and
// io_uring read with O_DIRECT ends later, with its bios.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "follow/block_tracker.h"
#include "follow/follow.h"
#include "follow/in_flight.h"
#include "follow/ranges.h"
#include "follow/read/sources.h"
#include "follow/tracks.h"

namespace strata {

constexpr std::string_view kReadSkipped = "reads not looked at, program skipped, already running on its CPU";

class ReadTracker final : public BlockTracker, private Tracks::Owner {
 public:
  explicit ReadTracker(Collector::Done done, Disks disks = Disks(), const Thresholds &thresholds = {});

  void on_record(const void *record, size_t size) override;
  void end(uint64_t sampled, const std::vector<Loss> &losses) override;
  [[nodiscard]] bool idle() const override { return flights_.empty(); }
  [[nodiscard]] bool calling() const override { return flights_.calling(); }

 private:
  struct InFlight : InFlightSample {
    uint64_t mapping = 0;
    uint64_t lo = 0, hi = 0;     // intended, then read
    uint64_t size = UINT64_MAX;  // of the file, once it is known
    uint32_t flags = 0;
    Sources sources;
    Ranges open, open_others;  // in bios that have not completed
    uint32_t stage = HOP_RUN;  // of the last bio of its own that is open
    bool woken = false;        // by a completion, in its sleep
    bool puzzled = false;      // it slept, and nothing that is known was under way
    std::string error;         // of a bio of its own
  };

  void start(const follow_start &start);
  void again(const follow_hop &hop);
  void leave(const follow_hop &hop);
  void add(const follow_hop &hop);
  void sleep(const follow_hop &hop);
  void run(const follow_hop &hop);
  void queue(const follow_hop &hop);
  void carry(Tracks::Track &track, InFlight &flight, const follow_hop &bio);

  [[nodiscard]] bool follows(uint64_t sample) const override { return flights_.contains(sample); }
  void passed(const Tracks::Extent &extent, const follow_hop &hop) override;
  void completed(const Tracks::Extent &extent, const Ranges &bytes, const follow_hop &hop) override;

  void finish_read(InFlight &flight);  // [lo, hi) was read
  void finish(InFlight &flight, const Outcome &outcome, const std::string &reason = {});

  InFlightSamples<InFlight> flights_;
  Tracks tracks_{*this};
};

}  // namespace strata
