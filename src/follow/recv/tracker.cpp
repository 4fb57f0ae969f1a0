// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/recv/tracker.h"

#include <algorithm>

#include "follow/sequence.h"

namespace strata {

RecvTracker::RecvTracker(Collector::Done done, bool here, const Thresholds &thresholds)
    : collector_(kRecvProcedure, std::move(done), thresholds), reasons_(here) {}

void RecvTracker::on_record(const void *record, size_t size) {
  const auto &hop = *static_cast<const send_hop *>(record);
  if (size < sizeof(hop)) return;
  if (hop.ts_ns >= next_look_ns_) {
    on_time(hop.ts_ns);
    next_look_ns_ = hop.ts_ns + kSilentNs / 4;
  }
  if (hop.kind == RECV_ARRIVE) {
    if (size >= sizeof(send_start)) begin(*static_cast<const send_start *>(record));
    return;
  }
  if ((hop.kind == RECV_TCP || hop.kind == RECV_READ) && size < sizeof(recv_hop)) return;
  if (hop.kind == SEND_DROP && is_drop_of_duplicate(hop)) return;
  if ((hop.kind == RECV_READ || hop.kind == SEND_PEER_CLOSE) && (hop.flags & RECV_OTHERS) == 0)
    streams_[hop.sock].wanted = true;
  if (hop.kind == RECV_TCP && !is_after(hop.hi, static_cast<const recv_hop *>(record)->next))
    streams_[hop.sock].had = hop.lo;
  flights_.each([&](InFlight &flight) {
    if (flight.start.hop.sock == hop.sock) dispatch(flight, record);
  });
  if (hop.kind == SEND_PEER_CLOSE) streams_.erase(hop.sock);
}

// It is not of the sample that brought these bytes.
bool RecvTracker::is_drop_of_duplicate(const send_hop &hop) {
  const auto stream = streams_.find(hop.sock);
  if (stream == streams_.end() || stream->second.had != hop.lo) return false;
  stream->second.had.reset();
  return true;
}

void RecvTracker::dispatch(InFlight &flight, const void *record) {
  const auto &hop = *static_cast<const send_hop *>(record);
  switch (hop.kind) {
    case SEND_RECEIVE:
      return pass(flight, hop);
    case SEND_DROP:
      return drop(flight, hop);
    case SEND_RESET:
      return reset(flight, hop);
    case SEND_PEER_CLOSE:
      return close(flight, hop);
    case RECV_TCP:
      return take(flight, *static_cast<const recv_hop *>(record));
    case RECV_READ:
      return read(flight, *static_cast<const recv_hop *>(record));
    default:
      return;
  }
}

void RecvTracker::on_time(uint64_t now_ns) {
  flights_.each([&](InFlight &flight) {
    if (!flight.has_tcp && now_ns > flight.last_ns + kSilentNs) finish_unread(flight);
  });
}

std::pair<uint64_t, uint64_t> RecvTracker::part_of(const InFlight &flight, const send_hop &hop) {
  return {place_of(hop.lo, flight.first(), flight.size), place_of(hop.hi, flight.first(), flight.size)};
}

Hop &RecvTracker::add_hop(InFlight &flight, const send_hop &hop) {
  const auto [lo, hi] = part_of(flight, hop);
  flight.last_ns = std::max<uint64_t>(flight.last_ns, hop.ts_ns);
  return flight.sample.hops.emplace_back(send_hop_of(hop, lo, std::max(lo, hi), reasons_));
}

// ---- devices

// Its bytes are those of a sample that TCP does not have: another device, or sent again.
bool RecvTracker::is_again(const send_start &record) {
  send_hop hop = record.hop;
  hop.kind = SEND_RECEIVE;
  bool again = false;
  flights_.each([&](InFlight &flight) {
    if (flight.start.hop.sock != hop.sock || flight.has_tcp) return;
    const auto [lo, hi] = part_of(flight, hop);
    again = again || lo < hi;
    pass(flight, hop);
  });
  return again;
}

void RecvTracker::begin(const send_start &record) {
  const send_hop &hop = record.hop;
  if (InFlight *old = flights_.find(hop.id)) finish(*old, kLost, "never ended");
  if (is_again(record)) {
    collector_.merge();
    ++merged_;
    return;
  }
  InFlight &flight = flights_.add(hop.id, hop.ts_ns);
  flight.start = record;
  flight.size = hop.hi - hop.lo;
  flight.unread = Ranges(0, flight.size);
  add_hop(flight, hop);
}

void RecvTracker::pass(InFlight &flight, const send_hop &hop) {
  const auto [lo, hi] = part_of(flight, hop);
  if (lo < hi && !flight.has_tcp) add_hop(flight, hop);
}

// TCP may have had it, and have had no room for it.
void RecvTracker::drop(InFlight &flight, const send_hop &hop) {
  const auto [lo, hi] = part_of(flight, hop);
  if (lo >= hi) return;
  add_hop(flight, hop);
  flight.is_dropped = true;
  flight.has_tcp = flight.has_hole = false;
  flight.why_dropped = hop.reason != SEND_NO_REASON ? reasons_.name(hop.reason) : "no reason is told";
}

// ---- TCP

void RecvTracker::take(InFlight &flight, const recv_hop &record) {
  const send_hop &hop = record.hop;
  const auto [lo, hi] = part_of(flight, hop);
  if (lo >= hi || flight.has_tcp) return fill(flight, record);
  Hop &next = add_hop(flight, hop);
  if (hop.flags & RECV_BACKLOG) next.layer = kBacklog;
  if (!is_after(flight.start.hop.hi, record.next)) return finish(flight, kDuplicate);
  flight.has_tcp = true;
  flight.is_dropped = false;
  flight.has_hole = is_after(hop.lo, record.next);
  flight.filler.reset();
  if (flight.has_hole) add_missing(next, hop.lo - record.next);
}

// A segment after it, of which the sample may have waited for the bytes.
void RecvTracker::fill(InFlight &flight, const recv_hop &record) {
  if (!flight.has_hole) return;
  if (is_after(record.next, flight.first())) return end_hole(flight);
  if (is_after(record.hop.lo, record.next) || !is_after(record.hop.hi, record.next)) return;
  flight.filler = record.hop;
  if (!is_after(flight.first(), record.hop.hi)) end_hole(flight);
}

void RecvTracker::end_hole(InFlight &flight) {
  flight.has_hole = false;
  if (!flight.filler) return;
  Hop &hop = add_hop(flight, *flight.filler);
  hop.layer = kOutOfOrder;
  hop.name = "filled";
  hop.fields.clear();
}

// ---- the reader

void RecvTracker::read(InFlight &flight, const recv_hop &record) {
  const send_hop &hop = record.hop;
  const uint64_t hi = part_of(flight, hop).second;
  if (!flight.unread.overlaps(0, hi)) return;
  if (flight.has_hole) end_hole(flight);
  for (const ReaderStep &step : reader_steps(record, flight.last_ns)) step.become(add_hop(flight, hop));
  if ((hop.flags & RECV_OTHERS) == 0) {
    if (!flight.reader) flight.sample.cgroup = group();
    flight.reader = hop;
  }
  flight.was_read = true;
  flight.unread.remove(0, hi);
  if (flight.unread.empty()) finish(flight, kCompleted);
}

// ---- the end of a connection

void RecvTracker::reset(InFlight &flight, const send_hop &hop) {
  Hop &next = add_hop(flight, hop);
  if (flight.has_tcp) next.layer = kArrivalQueue;
  if (flight.reset.empty()) flight.reset = "reset by " + resetter_name(hop);
}

void RecvTracker::close(InFlight &flight, const send_hop &hop) {
  flight.unread.remove(0, part_of(flight, hop).second);  // a read that no program saw
  add_hop(flight, hop);
  if (flight.unread.empty()) return finish(flight, kCompleted);
  finish(flight, kCutOff, flight.reset.empty() ? "closed by the reader" : flight.reset);
}

// ---- the end of a sample

void RecvTracker::finish(InFlight &flight, const Outcome &outcome, const std::string &reason) {
  if (flight.may_be_others() && (flight.was_read || !streams_[flight.start.hop.sock].wanted)) {
    collector_.leave_out(kOfOthers);
  } else {
    flight.sample.fields = recv_fields(flight.start, flight.size, flight.reader ? &*flight.reader : nullptr);
    add_sequence(flight.sample, flight.first());
    collector_.finish(flight.sample, outcome, reason, flight.last_ns);
  }
  flights_.remove(flight);
}

void RecvTracker::finish_unread(InFlight &flight) {
  if (flight.has_tcp || flight.was_read) return finish(flight, kSegmentNotRead);
  if (flight.is_dropped) return finish(flight, kDropped, flight.why_dropped);
  finish(flight, kNotDelivered);
}

void RecvTracker::end(uint64_t sampled, const std::vector<Loss> &losses) {
  const std::string lost = lost_by(losses, {kRecvSkipped});
  flights_.end_all(collector_, sampled - std::min(sampled, merged_), lost, [&](InFlight &flight) {
    if (!lost.empty())
      finish(flight, kLost, lost);
    else
      finish_unread(flight);
  });
}

}  // namespace strata
