// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// From hops to samples of sends: which hop belongs to which sample, and what became of each of its bytes.
//
// A byte is acknowledged or not; where the receiving socket is on this machine, it is read or not, besides. A sample is
// completed when its call has returned and nothing is open. Its bytes are counted from its first one on; sequence
// numbers become that by a difference modulo 1 << 32, which the BPF side keeps below 1 << 31.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "follow/chain.h"
#include "follow/collector.h"
#include "follow/in_flight.h"
#include "follow/ranges.h"
#include "follow/send.h"
#include "follow/send/hops.h"
#include "model/loss.h"
#include "model/sample.h"

namespace strata {

// The names of bpf/follow/send.h's losses, from LOSS_SENDS_FULL on.
constexpr std::string_view kSendLosses[] = {"too many sampled calls at once", "no room for a socket"};
// Where a sample would begin. Of 1,000 such sends one is missing among the samples, with --sample 1/1000.
constexpr std::string_view kSendSkipped = "sends not looked at, program skipped, already running on its CPU";

class SendTracker : public ChainTracker {
 public:
  // `here`: the records are of this machine.
  SendTracker(Collector::Done done, bool here, const Thresholds &thresholds = {});

  void on_record(const void *record, size_t size) override;
  void end(uint64_t sampled, const std::vector<Loss> &losses) override;
  void name_first(const void *record, const Take &take) override {
    reasons_.name_first(*static_cast<const send_hop *>(record), take);
  }
  bool on_name(const RecordType &type, const void *name) override { return reasons_.on_name(type, name); }

  [[nodiscard]] bool idle() const override { return flights_.empty(); }
  [[nodiscard]] bool calling() const override { return flights_.calling(); }
  [[nodiscard]] const Collector &collector() const override { return collector_; }
  // Nothing is: acknowledgements and reads are told of all bytes before a place, so that the next one makes up for one
  // that no hook saw.
  [[nodiscard]] Loss missed() const override { return {.reason = "hops", .count = 0}; }

 private:
  struct InFlight : InFlightSample {
    uint64_t sock = 0;   // the sender's, while it lives
    bool gone = false;   // it does not
    uint32_t first = 0;  // sequence number of the first byte
    uint64_t size = 0;   // what the call queued; before its end, more than it may
    uint32_t limit = 0;  // what kept the bytes from being sent then
    Ranges unsent, unacknowledged, unread;
    std::string device;            // the first that had some of it
    Ranges transmitted, received;  // last by a device of this machine
    bool is_local = false;         // TCP of this machine received some
    std::string reset;             // by whom
  };

  void start(const send_start &start);
  void leave(const send_hop &hop);
  void abandon(const send_hop &hop);
  void pass(InFlight &flight, const send_hop &hop);
  static std::string_view layer_of(InFlight &flight, const send_hop &hop, uint64_t lo, uint64_t hi);
  void acknowledge(InFlight &flight, const send_hop &hop);
  void read(InFlight &flight, const send_hop &hop);
  void close(InFlight &flight, const send_hop &hop);
  void close_peer(InFlight &flight, const send_hop &hop);
  void reset(InFlight &flight, const send_hop &hop);
  void dispatch(InFlight &flight, const send_hop &hop);

  static std::pair<uint64_t, uint64_t> part_of(const InFlight &flight, const send_hop &hop);
  Hop &add_hop(InFlight &flight, const send_hop &hop);
  void settle(InFlight &flight);  // ends it if nothing is open
  void finish(InFlight &flight, const Outcome &outcome, const std::string &reason = {});

  Collector collector_;
  ReasonNames reasons_;
  InFlightSamples<InFlight> flights_;
};

}  // namespace strata
