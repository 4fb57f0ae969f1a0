// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/datagram/tracker.h"

#include <algorithm>

#include "follow/datagram/hops.h"
#include "follow/recv/hops.h"
#include "kern/errno.h"

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
  if (hop.kind == SEND_ABANDONED)
    return finish(flight, kLost, flight.left_ns == 0 ? "return not seen" : "end not seen");
  const auto packet = std::ranges::find(flight.packets, hop.sock, &Packet::address);
  if (packet == flight.packets.end()) return;
  switch (hop.kind) {
    case SEND_DROP:
    case SEND_DONE:
      return end_packet(flight, *packet, hop);
    case RECV_READ:
      return read(flight, *static_cast<const recv_hop *>(record));
    default:
      return pass(flight, *packet, hop);
  }
}

// A packet that came to no socket, and of which nothing is heard: what freed it did not say so.
void DatagramTracker::on_time(uint64_t now_ns) {
  flights_.each([&](InFlight &flight) {
    const bool arrived =
        std::ranges::all_of(flight.packets, [](const Packet &p) { return p.stage == Stage::kReceived; });
    if (receives_ && arrived && now_ns > flight.last_ns + kSilentNs) finish(flight, kNotDelivered);
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
  flight.size = static_cast<uint64_t>(hop.result);
  if (hop.flags & SEND_CORKED) return finish(flight, kCorked);
  finish(flight, kLost, "its packet was not seen");
}

// ---- packets

void DatagramTracker::pass(InFlight &flight, Packet &packet, const send_hop &hop) {
  Hop &next = add_hop(flight, hop);
  switch (hop.kind) {
    case SEND_NEIGHBOUR:
      packet.stage = Stage::kAsked;
      return;
    case SEND_QUEUE:
      next.layer = packet.stage == Stage::kAsked ? kNeighbour : packet.stage == Stage::kReceived ? kForward : kUdp;
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
      packet.stage = Stage::kQueued;
      return;
    default:
      return;
  }
}

// Of fragments the packet that came last has become the datagram.
void DatagramTracker::read(InFlight &flight, const recv_hop &record) {
  const send_hop &hop = record.hop;
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
  Hop &last = add_hop(flight, hop);
  if (hop.kind == SEND_DROP) {
    flight.worst = &kDropped;
    flight.why = hop.reason != SEND_NO_REASON ? reasons_.name(hop.reason) : "no reason is told";
  } else if (packet.stage != Stage::kWithDriver) {
    last.name = "taken over";
    last.layer = packet.stage == Stage::kReceived ? (receives_ ? kUdp : kPeerUdp) : kQdisc;
    if (flight.worst == nullptr) flight.worst = &kTaken;
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

void DatagramTracker::finish(InFlight &flight, const Outcome &outcome, const std::string &reason) {
  if (receives_ && flight.may_be_others()) {
    collector_.leave_out(kOfOthers);
  } else {
    flight.sample.fields = receives_ ? recv_fields(flight.start, flight.size, flight.reader ? &*flight.reader : nullptr)
                                     : send_fields(flight.start);
    flight.sample.fields.pop_back();  // TCP's sequence number
    set_sent(flight.sample, flight.size);
    collector_.finish(flight.sample, outcome, reason, receives_ ? flight.last_ns : flight.left_ns);
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
}

}  // namespace strata
