// The records of a followed run, as a recording has them: what the BPF side sent, between how and how many.
#pragma once

#include <cstdint>
#include <span>

#include "follow/follow.h"
#include "rec/names.h"
#include "rec/record_line.h"

namespace strata {

struct follow_attach_mode {  // first
  uint64_t until_writeback;
  uint64_t reading;  // of reads, not of writes
  char text[240];
};
struct follow_sampled {  // last
  uint64_t sampled;
  uint64_t submits;  // of aio and io_uring, whose writes tracepoints do not show
};

extern const RecordType kHopRecord, kStartRecord, kAttachModeRecord, kSampledRecord;
extern const std::span<const RecordType *const> kFollowRecords;

const RecordType &record_of(const follow_hop &hop);

}  // namespace strata
