// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/datagram/tracker.h"

#include <algorithm>

#include "follow/datagram/hops.h"
#include "follow/recv/hops.h"
#include "kern/errno.h"
#include "kern/syscall.h"

namespace strata {

DatagramTracker::DatagramTracker(Collector::Done done, bool receives, bool here, const Thresholds &thresholds)
    : receives_(receives),
      collector_(receives ? kDatagramRecvProcedure : kDatagramSendProcedure, std::move(done), thresholds),
      reasons_(here) {}

void DatagramTracker::on_record(const void *record, size_t size) {
  const auto &hop = *static_cast<const send_hop *>(record);
  if (size < sizeof(hop)) return;
  if (hop.ts_ns >= next_look_ns_) {
    on_time(hop.ts_ns);
    next_look_ns_ = hop.ts_ns + kSilentNs / 4;
  }
  const bool begins = hop.kind == (receives_ ? RECV_ARRIVE : SEND_ENTER);
  if ((begins || hop.kind == SEND_PACKET) && size < sizeof(send_start)) return;
  if (hop.kind == RECV_READ && size < sizeof(recv_hop)) return;
  if (begins) return begin(*static_cast<const send_start *>(record));
  if (InFlight *flight = flights_.find(hop.id)) dispatch(*flight, record);
}

void DatagramTracker::dispatch(InFlight &flight, const void *record) {
  const auto &hop = *static_cast<const send_hop *>(record);
  if (hop.kind == SEND_PACKET) return add_packet(flight, *static_cast<const send_start *>(record));
  if (hop.kind == SEND_LEAVE && !receives_) return leave(flight, hop);
  if (hop.kind == SEND_ABANDONED && !receives_ && hop.sock == flight.start.hop.sock)
    return finish(flight, kLost, "return not seen");
  const auto packet = std::ranges::find(flight.packets, hop.sock, &Packet::address);
  if (packet == flight.packets.end()) return;
  switch (hop.kind) {
    case SEND_DROP:
    case SEND_DONE:
    case SEND_JOINED:
    case SEND_ABANDONED:
      return end_packet(flight, *packet, hop);
    case RECV_READ:
      return read(flight, *static_cast<const recv_hop *>(record));
    default:
      return pass(flight, *packet, hop);
  }
}

// A packet that came to no socket, and of which nothing is heard: what freed it did not say so.
void DatagramTracker::on_time(uint64_t now_ns) {
  if (!receives_) return;
  flights_.each([&](InFlight &flight) {
    const bool delivered = flight.packets.front().stage != Stage::kReceived;
    const bool may_be_queued = (flight.start.hop.flags & RECV_UNQUEUED) != 0;
    if (!delivered && !may_be_queued && now_ns > flight.last_ns + kSilentNs) finish(flight, kNotDelivered);
  });
}

Hop &DatagramTracker::add_hop(InFlight &flight, const send_hop &hop) {
  flight.last_ns = std::max<uint64_t>(flight.last_ns, hop.ts_ns);
  return flight.sample.hops.emplace_back(send_hop_of(hop, hop.lo, hop.hi, reasons_));
}

// ---- the beginning

void DatagramTracker::begin(const send_start &record) {
  const send_hop &hop = record.hop;
  if (InFlight *old = flights_.find(hop.id)) finish(*old, kLost, "never ended");
  InFlight &flight = flights_.add(hop.id, hop.ts_ns);
  flight.start = record;
  if (hop.kind == RECV_ARRIVE) {
    flight.size = hop.hi;
    flight.had_packet = true;
    flight.packets.push_back({hop.sock, Stage::kReceived});
  } else {
    flight.sample.cgroup = group();
  }
  add_hop(flight, hop);
}

void DatagramTracker::add_packet(InFlight &flight, const send_start &record) {
  if (record.hop.lo == 0) flight.start.ends = record.ends;
  flight.size = std::max<uint64_t>(flight.size, record.hop.hi);
  flight.had_packet = true;
  flight.packets.push_back({record.hop.sock});
}

void DatagramTracker::leave(InFlight &flight, const send_hop &hop) {
  if (flight.left_ns != 0) return;
  flight.left_ns = hop.ts_ns;
  const uint64_t last_ns = flight.last_ns;
  add_hop(flight, hop);
  flight.last_ns = last_ns;  // the packet's: its reader may have been woken before
  if (flight.had_packet) return settle(flight);
  if (hop.result < 0) return finish(flight, kFailed, errno_name(hop.result));
  if (syscall_name(flight.start.hop.call) != "sendmmsg")
    flight.size = static_cast<uint64_t>(hop.result);  // of messages
  if (hop.flags & SEND_CORKED) return finish(flight, kCorked);
  finish(flight, kLost, "its packet was not seen");
}

// ---- packets

// A packet that a device has is given to another one by that: a VLAN, a bond, a tunnel.
std::string_view DatagramTracker::layer_before_device(Stage stage) {
  switch (stage) {
    case Stage::kMade:
      return kUdp;
    case Stage::kAsked:
      return kNeighbour;
    case Stage::kReceived:
      return kForward;
    default:
      return kDeviceLayer;
  }
}

void DatagramTracker::pass(InFlight &flight, Packet &packet, const send_hop &hop) {
  Hop &next = add_hop(flight, hop);
  switch (hop.kind) {
    case SEND_NEIGHBOUR:
      packet.stage = Stage::kAsked;
      return;
    case SEND_QUEUE:
      next.layer = layer_before_device(packet.stage);
      packet.stage = Stage::kAtDevice;
      return;
    case SEND_XMIT:
      packet.stage = Stage::kWithDriver;
      return;
    case SEND_RECEIVE:
      packet.stage = Stage::kReceived;
      return;
    case SEND_SOCKET:
      if (receives_) next.layer = kUdp;
      packet.stage = Stage::kInQueue;
      return;
    default:
      return;
  }
}

// Of fragments the packet that came last has become the datagram.
void DatagramTracker::read(InFlight &flight, const recv_hop &record) {
  const send_hop &hop = record.hop;
  if (hop.ts_ns < flight.last_ns) {  // it was told late, and lay in the queue no later than it was read
    for (Hop &past : flight.sample.hops)
      if (past.name == kQueued) past.ts_ns = std::min<uint64_t>(past.ts_ns, hop.ts_ns);
    flight.last_ns = hop.ts_ns;
  }
  for (const ReaderStep &step : reader_steps(record, flight.last_ns)) step.become(add_hop(flight, hop));
  if ((hop.flags & RECV_OTHERS) == 0) {
    if (receives_ && !flight.reader) flight.sample.cgroup = group();
    flight.reader = hop;
  }
  flight.was_read = true;
  flight.packets.clear();
  settle(flight);
}

void DatagramTracker::end_packet(InFlight &flight, const Packet &packet, const send_hop &hop) {
  const auto turn = [&](const Outcome &outcome, const std::string &why) {
    flight.worst = &outcome;
    flight.why = why;
  };
  if (hop.kind == SEND_DROP) {
    add_hop(flight, hop);
    turn(kDropped, hop.reason != SEND_NO_REASON ? reasons_.name(hop.reason) : "no reason is told");
  } else if (hop.kind == SEND_ABANDONED) {
    if (flight.worst == nullptr) turn(kLost, "end not seen");
  } else if (hop.kind == SEND_DONE) {
    Hop &last = add_hop(flight, hop);
    if (packet.stage != Stage::kWithDriver) {
      last.name = "taken over";
      last.layer = packet.stage >= Stage::kReceived ? (receives_ ? kUdp : kPeerUdp) : kQdisc;
      if (flight.worst == nullptr) turn(kTaken, "");
    }
  }
  flight.packets.erase(std::ranges::find(flight.packets, hop.sock, &Packet::address));
  settle(flight);
}

// ---- the end of a sample

void DatagramTracker::settle(InFlight &flight) {
  if ((!receives_ && flight.left_ns == 0) || !flight.packets.empty()) return;
  if (flight.was_read) return finish(flight, kCompleted);
  finish(flight, flight.worst != nullptr ? *flight.worst : kSent, flight.why);
}

DatagramTracker::Destination DatagramTracker::destination_of(const send_start &start) {
  return {start.ends.remote_hi, start.ends.remote_lo, start.ends.remote_port};
}

// Somebody reads there: so those who did not come to it were for the same reader.
void DatagramTracker::decide(const Destination &destination, bool is_wanted) {
  if (wanted_.size() >= kDestinations && !wanted_.contains(destination)) wanted_.clear();
  wanted_[destination] = is_wanted;
  const auto unread = undecided_.extract(destination);
  if (unread.empty()) return;
  n_undecided_ -= unread.mapped().size();
  for (Unread &one : unread.mapped())
    if (is_wanted)
      collector_.finish(one.sample, *one.outcome, one.reason, one.last_ns);
    else
      collector_.leave_out(kOfOthers);
}

void DatagramTracker::finish(InFlight &flight, const Outcome &outcome, const std::string &reason) {
  const Destination destination = destination_of(flight.start);
  const bool filtered = receives_ && (flight.start.hop.flags & RECV_FILTERED) != 0;
  if (filtered && flight.was_read) decide(destination, flight.reader.has_value());
  flight.sample.fields = receives_ ? recv_fields(flight.start, flight.size, flight.reader ? &*flight.reader : nullptr)
                                   : send_fields(flight.start);
  set_sent(flight.sample, flight.size);
  const uint64_t seen_ns = receives_ ? flight.last_ns : flight.left_ns;
  const auto known = wanted_.find(destination);
  if (!filtered || (known != wanted_.end() && known->second)) {
    collector_.finish(flight.sample, outcome, reason, seen_ns);
  } else if (known != wanted_.end() || n_undecided_ >= kUndecided) {
    collector_.leave_out(kOfOthers);
  } else {
    undecided_[destination].push_back({std::move(flight.sample), &outcome, reason, seen_ns});
    ++n_undecided_;
  }
  flights_.remove(flight);
}

void DatagramTracker::finish_open(InFlight &flight) {
  const bool arrived = std::ranges::any_of(flight.packets, [](const Packet &p) { return p.stage >= Stage::kReceived; });
  finish(flight, arrived ? kSegmentNotRead : kNotSent);
}

void DatagramTracker::end(uint64_t sampled, const std::vector<Loss> &losses) {
  const std::string lost = lost_by(losses, {kDatagramSkipped});
  flights_.end_all(collector_, sampled, lost, [&](InFlight &flight) {
    if (!lost.empty())
      finish(flight, kLost, lost);
    else
      finish_open(flight);
  });
  for (; n_undecided_ > 0; --n_undecided_) collector_.leave_out(kOfOthers);
  undecided_.clear();
}

}  // namespace strata
