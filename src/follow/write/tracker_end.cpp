// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The end of a sample: what became of it.
#include <algorithm>
#include <cerrno>

#include "follow/write/hops.h"
#include "follow/write/tracker.h"
#include "kern/errno.h"

namespace strata {
namespace {

constexpr const char *kUnseen = "completion not seen";
constexpr uint64_t kLongNs = 5'000'000'000;  // a bio that is older was completed, and nobody saw it

// Where data are that no bio of the file has; nullptr if the file has bios.
const char *place_name(uint32_t stored) {
  return stored & FILE_INLINE       ? "stored with the metadata"
         : stored & FILE_JOURNALLED ? "stored in the journal"
                                    : nullptr;
}

// Said of a sample some of whose bytes are on the device.
std::string truncated_part(uint64_t truncated, uint64_t bytes) {
  return truncated < bytes ? std::to_string(truncated) + " of " + std::to_string(bytes) + " bytes" : "";
}

}  // namespace

// What is still open of these bytes was missed, or is elsewhere.
void Tracker::prove(InFlight &flight, const Ranges &bytes, uint32_t stored) {
  flight.waiting.remove(flight.unconfirmed.within(bytes));
  flight.writeback.remove(bytes);
  const bool waits = !flight.waiting.within(bytes).empty(), unseen = !flight.queued.within(bytes).empty();
  if ((waits || unseen) && !flight.failed.empty()) return finish(flight, kFailed, flight.error);
  if (waits) {
    const char *place = place_name(stored);
    if (place == nullptr) return finish(flight, kLost, "no I/O seen");
    flight.sample.reason = place;
    flight.waiting.remove(bytes);
  }
  if (unseen) complete_unseen(flight, bytes);
  settle(flight);
}

void Tracker::complete_unseen(InFlight &flight, const Ranges &bytes) {
  if (flight.sample.reason != kUnseen) ++missed_;
  flight.sample.reason = kUnseen;
  flight.queued.remove(bytes);
}

void Tracker::settle(InFlight &flight) {
  if (flight.left_ns == 0 || !flight.syncs.empty()) return;
  if (!flight.waiting.empty() || !flight.queued.empty() || !flight.writeback.empty()) return;
  if (!flight.failed.empty()) return finish(flight, kFailed, flight.error);
  if (flight.truncated.empty()) return finish(flight, kCompleted);
  finish(flight, kTruncated, truncated_part(flight.truncated.bytes(), flight.hi - flight.lo));
}

void Tracker::finish(InFlight &flight, const Outcome &outcome, const std::string &reason) {
  collector_.finish(flight.sample, outcome, reason, flight.left_ns);
  flights_.remove(flight);
}

void Tracker::end(uint64_t sampled, const std::vector<Loss> &losses) {
  // A write that was too large is a sample of its own, one that was not looked at is none: they take no hop from
  // another.
  const std::string lost = lost_by(losses, {kTooLarge, kWriteSkipped});
  flights_.end_all(collector_, sampled, lost, [&](InFlight &flight) {
    flight.syncs.clear();
    flight.writeback = Ranges();
    const size_t before = flights_.size();
    settle(flight);
    if (flights_.size() != before) return;
    if (!flight.failed.empty())
      finish(flight, kFailed, flight.error);
    else if (flight.refused)
      finish(flight, kFailed, errno_name(EAGAIN));
    else if (!lost.empty())
      finish(flight, kLost, lost);
    else if (!flight.queued.empty() && last_ns_ - flight.queued_ns > kLongNs)
      finish(flight, kLost, kUnseen);
    else
      finish(flight, kNotWrittenBack);
  });
}

}  // namespace strata
