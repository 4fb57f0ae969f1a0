// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The columns of a followed send, and a wire record as a hop in the field's words, also of follow recv.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "follow/chain.h"
#include "follow/collector.h"
#include "follow/send.h"
#include "model/sample.h"

namespace strata {

// What a send can come to beside completed, failed and lost.
inline constexpr Outcome kNothingSent{.key = "empty", .name = "empty", .is_good = true};  // 0 bytes
inline constexpr Outcome kNotAcknowledged{.key = "pending", .name = "not acknowledged"};  // when the run ended
inline constexpr Outcome kNotRead{.key = "unread", .name = "acknowledged, not read"};     // the same
extern const Procedure kSendProcedure;

// Until another device had it, of this machine, and until a bridge or router here gave that on.
inline constexpr std::string_view kDeviceLayer = "device", kForward = "forward";
// Of datagrams.
inline constexpr std::string_view kUdp = "udp", kPeerUdp = "peer udp", kQueued = "queued";
// The hops at the sender's device, and of an acknowledgement.
inline constexpr std::string_view kToDevice = "queue", kToDriver = "transmit", kAgain = "retransmit",
                                  kAcknowledged = "acknowledge";

// Of a sample's first byte, and where its part is that a hop is about.
inline constexpr Field kSequence{.decode = {.type = Type::kInteger},
                                 .key = "seq",
                                 .title = "SEQ",
                                 .help = "TCP's sequence number of the first byte",
                                 .hidden = true};
extern const Field kHopOffset, kHopBytes;

// Why packets were dropped, by the kernel's numbers.
class ReasonNames {
 public:
  explicit ReasonNames(bool here) : here_(here) {}
  const std::string &name(uint32_t reason);

  // For ChainTracker's methods of these names.
  void name_first(const send_hop &record, const ChainTracker::Take &take);
  bool on_name(const RecordType &type, const void *name);

 private:
  bool here_;  // the numbers are this machine's
  std::map<uint32_t, std::string> names_;
  std::set<uint32_t> told_;
};

// Of any kind, those of recv too. [lo, hi) is the part of the sample's bytes, counted from its first one, that the hop
// is about.
Hop send_hop_of(const send_hop &record, uint64_t lo, uint64_t hi, ReasonNames &reasons);
// What kept the bytes from being sent before, as a field of the hop at which they were.
void add_limit(Hop &hop, uint32_t limit);
// Of a segment, what had not arrived before it when TCP had it.
void add_missing(Hop &hop, uint32_t bytes);
std::string resetter_name(const send_hop &record);

extern const std::span<const Field *const> kSendSampleColumns, kSendHopColumns;
extern const std::span<const Field *const> kSegmentHopColumns;               // those of recv
extern const std::span<const Field *const> kUdpSendColumns, kUdpHopColumns;  // without what only TCP has
std::vector<NamedValue> send_fields(const send_start &start);
void add_sequence(Sample &sample, uint32_t first);  // of TCP, as the last field
void set_sent(Sample &sample, uint64_t bytes);      // once it is known

}  // namespace strata
