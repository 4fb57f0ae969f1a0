// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/send/tracker.h"

#include <algorithm>

#include "base/text.h"
#include "follow/sequence.h"
#include "kern/errno.h"

namespace strata {

namespace {

constexpr uint64_t kUnknownSize = uint64_t{1} << 30;  // MOST_BYTES of bpf/follow/streams.h

}  // namespace

SendTracker::SendTracker(Collector::Done done, bool here, const Thresholds &thresholds)
    : collector_(kSendProcedure, std::move(done), thresholds), reasons_(here) {}

void SendTracker::on_record(const void *record, size_t size) {
  const auto &hop = *static_cast<const send_hop *>(record);
  if (size < sizeof(hop)) return;
  if (hop.kind == SEND_ENTER) {
    if (size >= sizeof(send_start)) start(*static_cast<const send_start *>(record));
    return;
  }
  if (hop.kind == SEND_LEAVE) return leave(hop);
  if (hop.kind == SEND_ABANDONED) return abandon(hop);
  const bool gone = (hop.flags & SEND_GONE) != 0;
  flights_.each([&](InFlight &flight) {
    if (flight.sock == hop.sock && flight.gone == gone) dispatch(flight, hop);
  });
}

void SendTracker::dispatch(InFlight &flight, const send_hop &hop) {
  switch (hop.kind) {
    case SEND_ACK:
      return acknowledge(flight, hop);
    case SEND_READ:
      return read(flight, hop);
    case SEND_PEER_CLOSE:
      return close_peer(flight, hop);
    case SEND_CLOSE:
      return close(flight, hop);
    case SEND_RESET:
      return reset(flight, hop);
    default:
      return pass(flight, hop);
  }
}

std::pair<uint64_t, uint64_t> SendTracker::part_of(const InFlight &flight, const send_hop &hop) {
  return {place_of(hop.lo, flight.first, flight.size), place_of(hop.hi, flight.first, flight.size)};
}

Hop &SendTracker::add_hop(InFlight &flight, const send_hop &hop) {
  const auto [lo, hi] = part_of(flight, hop);
  return flight.sample.hops.emplace_back(send_hop_of(hop, lo, std::max(lo, hi), reasons_));
}

// ---- the system call

void SendTracker::start(const send_start &record) {
  const send_hop &hop = record.hop;
  if (InFlight *old = flights_.find(hop.id)) finish(*old, kLost, "never ended");
  InFlight &flight = flights_.add(hop.id, hop.ts_ns);
  flight.sock = hop.sock;
  flight.first = hop.lo;
  flight.size = kUnknownSize;
  flight.unsent = flight.unacknowledged = flight.unread = Ranges(0, kUnknownSize);
  flight.sample.cgroup = group();
  flight.sample.fields = send_fields(record);
  add_sequence(flight.sample, hop.lo);
  add_hop(flight, hop);
}

void SendTracker::abandon(const send_hop &hop) {
  if (InFlight *flight = flights_.find(hop.id)) finish(*flight, kLost, "return not seen");
}

void SendTracker::leave(const send_hop &hop) {
  InFlight *found = flights_.find(hop.id);
  if (found == nullptr || found->left_ns != 0) return;
  InFlight &flight = *found;
  flight.left_ns = hop.ts_ns;
  flight.size = hop.result > 0 ? std::min<uint64_t>(static_cast<uint64_t>(hop.result), kUnknownSize) : 0;
  flight.limit = hop.limit;
  for (Ranges *bytes : {&flight.unsent, &flight.unacknowledged, &flight.unread}) *bytes = bytes->within(0, flight.size);
  set_sent(flight.sample, flight.size);
  add_hop(flight, hop);
  if (hop.result < 0) return finish(flight, kFailed, errno_name(hop.result));
  if (hop.result == 0) return finish(flight, kNothingSent);
  if (hop.flags & SEND_UNSURE) return finish(flight, kLost, "place in the stream not known");
  settle(flight);
}

// ---- segments

// Where bytes were that are given to a device: with another one before, unless it is the one that had them first, to
// which their sender may send them again. Empty: it is as the kind says.
std::string_view SendTracker::layer_of(InFlight &flight, const send_hop &hop, uint64_t lo, uint64_t hi) {
  const bool was_received = flight.received.overlaps(lo, hi), was_transmitted = flight.transmitted.overlaps(lo, hi);
  flight.received.remove(lo, hi);
  flight.transmitted.remove(lo, hi);
  if (hop.kind == SEND_XMIT) flight.transmitted.add(lo, hi);
  if (hop.kind == SEND_RECEIVE) flight.received.add(lo, hi);
  if (hop.kind != SEND_QUEUE) return {};
  if (flight.device.empty()) flight.device = cstr(hop.dev);
  if (flight.device == cstr(hop.dev)) return {};
  return was_received ? kForward : was_transmitted ? kDeviceLayer : std::string_view();
}

void SendTracker::pass(InFlight &flight, const send_hop &hop) {
  const auto [lo, hi] = part_of(flight, hop);
  if (lo >= hi) return;
  const bool waited =
      hop.kind == SEND_QUEUE && flight.left_ns != 0 && flight.limit != LIMIT_NONE && flight.unsent.overlaps(lo, hi);
  Hop &next = add_hop(flight, hop);
  if (waited) add_limit(next, flight.limit);
  if (const std::string_view layer = layer_of(flight, hop, lo, hi); !layer.empty()) next.layer = layer;
  if (hop.kind == SEND_QUEUE) flight.unsent.remove(lo, hi);
  if (hop.kind == SEND_TCP_RECEIVE) flight.is_local = true;
}

// All before hi.
void SendTracker::acknowledge(InFlight &flight, const send_hop &hop) {
  const uint64_t hi = part_of(flight, hop).second;
  if (!flight.unacknowledged.overlaps(0, hi)) return;
  add_hop(flight, hop);
  flight.unacknowledged.remove(0, hi);
  settle(flight);
}

void SendTracker::read(InFlight &flight, const send_hop &hop) {
  const uint64_t hi = part_of(flight, hop).second;
  if (!flight.unread.overlaps(0, hi)) return;
  add_hop(flight, hop);
  flight.is_local = true;
  flight.unread.remove(0, hi);
  settle(flight);
}

// ---- the end of a connection

void SendTracker::reset(InFlight &flight, const send_hop &hop) {
  if (flight.unacknowledged.empty() && (!flight.is_local || flight.unread.empty())) return;  // it still is in its call
  add_hop(flight, hop);
  // The reader's RST may be told of after it was received.
  if (flight.reset.empty() || hop.result == RESET_BY_READER) flight.reset = "reset by " + resetter_name(hop);
}

void SendTracker::close(InFlight &flight, const send_hop &hop) {
  flight.gone = true;
  if (flight.left_ns == 0) return;                                    // its call will fail, or has failed
  if (flight.unacknowledged.empty() && flight.reset.empty()) return;  // the reader may still come
  add_hop(flight, hop);
  const std::string error = hop.result != 0 ? errno_name(hop.result) : "closed";
  finish(flight, kCutOff, flight.reset.empty() ? error : flight.reset);
}

void SendTracker::close_peer(InFlight &flight, const send_hop &hop) {
  flight.is_local = true;
  if (const uint64_t hi = part_of(flight, hop).second; flight.unread.overlaps(0, hi)) {
    add_hop(flight, hop);
    flight.unread.remove(0, hi);
  }
  if (flight.left_ns == 0) return;
  if (flight.unread.empty()) return settle(flight);
  add_hop(flight, hop);
  finish(flight, kCutOff, flight.reset.empty() ? "closed by the reader" : flight.reset);
}

// ---- the end of a sample

void SendTracker::settle(InFlight &flight) {
  if (flight.left_ns == 0 || !flight.unacknowledged.empty()) return;
  if (flight.is_local && !flight.unread.empty()) return;
  finish(flight, kCompleted);
}

void SendTracker::finish(InFlight &flight, const Outcome &outcome, const std::string &reason) {
  collector_.finish(flight.sample, outcome, reason, flight.left_ns);
  flights_.remove(flight);
}

void SendTracker::end(uint64_t sampled, const std::vector<Loss> &losses) {
  const std::string lost = lost_by(losses, {kSendSkipped});
  flights_.end_all(collector_, sampled, lost, [&](InFlight &flight) {
    if (!lost.empty())
      finish(flight, kLost, lost);
    else
      finish(flight, flight.left_ns != 0 && flight.unacknowledged.empty() ? kNotRead : kNotAcknowledged);
  });
}

}  // namespace strata
