// A followed run from its records: the same for a live run and for its recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "follow/chain.h"
#include "follow/write/wire.h"
#include "model/loss.h"
#include "model/sample.h"
#include "rec/recording.h"

namespace strata {

// The chain of a mode: of writes or of reads.
std::unique_ptr<Chain> chain_of(const follow_attach_mode &mode, const Collector::Done &done, Disks disks,
                                const Thresholds &thresholds);
Summary summary_of(const Chain &chain, std::string attach_mode);
void add_missed(const Chain &chain, std::vector<Loss> &losses);

// Before a record is recorded: the name of a disk that was not seen yet. False if there is none to tell.
class DiskNames {
 public:
  explicit DiskNames(Disks &disks) : disks_(disks) {}
  bool next(const follow_hop &hop, disk_name &disk);

 private:
  Disks &disks_;
  std::set<uint32_t> told_;
};

// Runs a recording through its chain; returns what the run would have returned. `whole` is false if it was cut short.
struct Replayed {
  Summary summary;
  std::vector<Loss> losses;
  uint64_t submits;
  bool whole;
  bool reading;  // of reads, not of writes
};
Replayed replay_chain(Recording &recording, const Collector::Done &done, const Thresholds &thresholds = {});

}  // namespace strata
