// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a segment that arrives has of its own: columns, outcomes, layers. Its hops are those of send
// (follow/send/hops.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "follow/collector.h"
#include "follow/send.h"
#include "model/sample.h"

namespace strata {

// What a segment can come to beside completed (all of it was read), cut off and lost.
inline constexpr Outcome kSegmentNotRead{.key = "unread", .name = "not read"};  // when the run ended
inline constexpr Outcome kDropped{.key = "dropped", .name = "dropped", .before = "dropped (", .after = ")"};
inline constexpr Outcome kDuplicate{.key = "duplicate", .name = "duplicate"};  // TCP had its bytes before
inline constexpr Outcome kNotDelivered{.key = "undelivered", .name = "not delivered"};
inline constexpr Outcome kOfOthers{.key = "others", .name = "of other readers", .is_good = true};  // not asked for
extern const Procedure kRecvProcedure;
extern const std::span<const Field *const> kRecvSampleColumns, kUdpRecvColumns;

inline constexpr std::string_view kArrivalTcp = "tcp", kBacklog = "backlog", kOutOfOrder = "out of order",
                                  kArrivalQueue = "socket queue", kReaderWakeUp = "wake-up", kCpuWait = "run queue",
                                  kReader = "reader";

// A read, and how its thread came to it: woken for it, given a CPU. The last one is the read itself.
struct ReaderStep {
  std::string_view layer;
  const char *name;
  uint64_t ts_ns;

  void become(Hop &hop) const;  // one that was made of the read
};
// `since_ns`: the hop before; what was earlier was for something else.
std::vector<ReaderStep> reader_steps(const recv_hop &record, uint64_t since_ns);

// `reader`: the last record of it, or nullptr.
std::vector<NamedValue> recv_fields(const send_start &start, uint64_t size, const send_hop *reader);

}  // namespace strata
