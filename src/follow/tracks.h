// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The block half of a chain: which samples' bytes each bio has, and what becomes of them on their way to the device,
// split, merged, cloned. What the bytes of a sample are, and what a completion means to it, its chain knows.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "follow/follow.h"
#include "follow/ranges.h"

namespace strata {

class Tracks {
 public:
  struct Extent {  // what one track carries of one sample
    uint64_t id;   // of the sample on the BPF side, which may have ended
    Ranges bytes;
    bool unconfirmed = false;  // the chain's own: a write may have come after the bio
    uint32_t role = 0;         // the chain's own: what the bio is to the sample
  };
  struct Track {
    follow_hop bio;
    uint64_t left;  // sectors
    bool top;       // queued by the file system: what counts. Else a clone: it only adds hops
    std::vector<Extent> extents;
  };
  class Owner {  // the chain
   public:
    [[nodiscard]] virtual bool follows(uint64_t sample) const = 0;
    virtual void passed(const Extent &extent, const follow_hop &hop) = 0;  // a bio or request that has bytes of it
    // Of a bio that the file system queued, which may be the end of the sample.
    virtual void completed(const Extent &extent, const Ranges &bytes, const follow_hop &hop) = 0;

   protected:
    ~Owner() = default;
  };

  explicit Tracks(Owner &owner) : owner_(owner) {}

  void drop_idle();  // those that carry nothing of interest any more, also those whose completion nobody saw
  void queue(Track track);
  Track *find(uint64_t id);
  void on_record(const follow_hop &hop);  // HOP_REMAP to HOP_COMPLETE
  // O_APPEND, and the place was a guess: what they carry of a sample is elsewhere in the file, or not its own.
  void shift(uint64_t sample, int64_t by);
  void forget(uint64_t sample);

 private:
  void remap(const follow_hop &hop);
  void complete_bio(const follow_hop &hop);
  void pass(const follow_hop &hop);
  bool complete(Track &track, const follow_hop &hop, uint64_t lo, uint64_t hi);  // true: nothing of it is left
  void tell(const Track &track, uint64_t lo, uint64_t hi, const follow_hop &hop, std::set<uint64_t> &told);

  Owner &owner_;
  std::map<uint64_t, Track> tracks_;
};

}  // namespace strata
