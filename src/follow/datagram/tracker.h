// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// From hops to samples of datagrams, that are sent or that arrive. A sample is one datagram, of one packet or, in
// fragments, of several, and ends when its call has returned and each of them has come to its end: read, sent, dropped
// or taken over.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "follow/chain.h"
#include "follow/collector.h"
#include "follow/in_flight.h"
#include "follow/send.h"
#include "follow/send/hops.h"
#include "model/loss.h"
#include "model/sample.h"

namespace strata {

// The names of bpf/follow/send.h's losses, from LOSS_SENDS_FULL on.
constexpr std::string_view kDatagramLosses[] = {"too many sampled calls at once", "no room for a packet"};
constexpr std::string_view kDatagramSkipped = "datagrams not looked at, program skipped, already running on its CPU";

class DatagramTracker : public ChainTracker {
 public:
  static constexpr uint64_t kSilentNs = 2'000'000'000;
  static constexpr size_t kUndecided = 1024, kDestinations = 4096;

  // `receives`: samples begin where they arrive. `here`: the records are of this machine.
  DatagramTracker(Collector::Done done, bool receives, bool here, const Thresholds &thresholds = {});

  void on_record(const void *record, size_t size) override;
  void on_time(uint64_t now_ns) override;
  void end(uint64_t sampled, const std::vector<Loss> &losses) override;
  void name_first(const void *record, const Take &take) override {
    reasons_.name_first(*static_cast<const send_hop *>(record), take);
  }
  bool on_name(const RecordType &type, const void *name) override { return reasons_.on_name(type, name); }

  [[nodiscard]] bool idle() const override { return flights_.empty(); }
  [[nodiscard]] bool calling() const override { return !receives_ && flights_.calling(); }
  [[nodiscard]] const Collector &collector() const override { return collector_; }
  // What was missed of a packet does not show: its next hop is told all the same.
  [[nodiscard]] Loss missed() const override { return {.reason = "hops", .count = 0}; }

 private:
  // Where a packet is.
  enum class Stage { kMade, kAsked, kAtDevice, kWithDriver, kReceived, kInQueue };
  struct Packet {
    uint64_t address;
    Stage stage = Stage::kMade;
  };
  struct InFlight : InFlightSample {
    send_start start = {};  // with the ends of its first packet, once there is one
    uint64_t size = 0;
    uint64_t last_ns = 0;         // of its packets' hops
    std::vector<Packet> packets;  // that have not come to their end
    bool had_packet = false;
    const Outcome *worst = nullptr;  // of those that have
    std::string why;
    std::optional<send_hop> reader;  // who was asked for, if anybody
    bool was_read = false;           // by whomever
  };

  static std::string_view layer_before_device(Stage stage);

  void begin(const send_start &record);
  void add_packet(InFlight &flight, const send_start &record);
  void leave(InFlight &flight, const send_hop &hop);
  void dispatch(InFlight &flight, const void *record);
  void pass(InFlight &flight, Packet &packet, const send_hop &hop);
  void read(InFlight &flight, const recv_hop &record);
  void end_packet(InFlight &flight, const Packet &packet, const send_hop &hop);

  Hop &add_hop(InFlight &flight, const send_hop &hop);
  void settle(InFlight &flight);  // ends it if nothing is open
  void finish(InFlight &flight, const Outcome &outcome, const std::string &reason = {});
  void finish_open(InFlight &flight);

  const bool receives_;
  Collector collector_;
  ReasonNames reasons_;
  InFlightSamples<InFlight> flights_;

  // An address of this machine and a port, which a socket has: who has read there last, and what nobody has read.
  using Destination = std::tuple<uint64_t, uint64_t, uint32_t>;
  struct Unread {
    Sample sample;
    const Outcome *outcome;
    std::string reason;
    uint64_t last_ns;
  };
  static Destination destination_of(const send_start &start);
  void decide(const Destination &destination, bool is_wanted);
  std::map<Destination, bool> wanted_;
  std::map<Destination, std::vector<Unread>> undecided_;
  size_t n_undecided_ = 0;
  uint64_t next_look_ns_ = 0;  // for what is silent, by the time of a record
};

}  // namespace strata
