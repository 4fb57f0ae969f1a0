// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The columns of a followed send, and a wire record as a hop in the field's words.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "follow/collector.h"
#include "follow/send.h"
#include "model/sample.h"

namespace strata {

// What a send can come to beside completed, failed and lost.
inline constexpr Outcome kNothingSent{.key = "empty", .name = "empty", .is_good = true};  // 0 bytes
inline constexpr Outcome kNotAcknowledged{.key = "pending", .name = "not acknowledged"};  // when the run ended
inline constexpr Outcome kNotRead{.key = "unread", .name = "acknowledged, not read"};     // the same
extern const Procedure kSendProcedure;

// Why packets were dropped, by the kernel's numbers.
class ReasonNames {
 public:
  explicit ReasonNames(bool here) : here_(here) {}
  void set(uint32_t reason, std::string name) { names_[reason] = std::move(name); }
  const std::string &name(uint32_t reason);

 private:
  bool here_;  // the numbers are this machine's
  std::map<uint32_t, std::string> names_;
};

// [lo, hi) is the part of the sample's bytes, counted from its first one, that the hop is about.
Hop send_hop_of(const send_hop &record, uint64_t lo, uint64_t hi, ReasonNames &reasons);
// What kept the bytes from being sent before, as a field of the hop at which they were.
void add_limit(Hop &hop, uint32_t limit);
std::string resetter_name(const send_hop &record);

extern const std::span<const Field *const> kSendSampleColumns, kSendHopColumns;
std::vector<NamedValue> send_fields(const send_start &start);
void set_sent(Sample &sample, uint64_t bytes);  // once it is known

}  // namespace strata
