// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// From hops to samples of segments that arrive: which hop belongs to which, and what became of its bytes. A sample is
// completed when all of them were read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "follow/chain.h"
#include "follow/collector.h"
#include "follow/in_flight.h"
#include "follow/ranges.h"
#include "follow/recv/hops.h"
#include "follow/send.h"
#include "follow/send/hops.h"
#include "model/loss.h"
#include "model/sample.h"

namespace strata {

// The names of bpf/follow/send.h's losses, from LOSS_SENDS_FULL on, of which the first is none of recv's.
constexpr std::string_view kRecvLosses[] = {"too many sampled calls at once", "no room for a stream"};
constexpr std::string_view kRecvSkipped = "segments not looked at, program skipped, already running on its CPU";

class RecvTracker : public ChainTracker {
 public:
  static constexpr uint64_t kSilentNs = 2'000'000'000;

  // `here`: the records are of this machine.
  RecvTracker(Collector::Done done, bool here, const Thresholds &thresholds = {});

  void on_record(const void *record, size_t size) override;
  void on_time(uint64_t now_ns) override;
  void end(uint64_t sampled, const std::vector<Loss> &losses) override;
  void name_first(const void *record, const Take &take) override {
    reasons_.name_first(*static_cast<const send_hop *>(record), take);
  }
  bool on_name(const RecordType &type, const void *name) override { return reasons_.on_name(type, name); }

  [[nodiscard]] bool idle() const override { return flights_.empty(); }
  [[nodiscard]] bool calling() const override { return !flights_.empty(); }
  [[nodiscard]] const Collector &collector() const override { return collector_; }
  // As of send: a read is told of all bytes before a place.
  [[nodiscard]] Loss missed() const override { return {.reason = "hops", .count = 0}; }

 private:
  struct InFlight : InFlightSample {
    send_start start = {};
    uint64_t size = 0;
    uint64_t last_ns = 0;  // of its hops
    Ranges unread;
    bool has_tcp = false;            // all that is left to do is to read it
    bool has_hole = false;           // TCP waits for bytes before it
    std::optional<send_hop> filler;  // the segment that may have filled it
    bool is_dropped = false;
    std::string why_dropped;
    std::string reset;               // by whom
    std::optional<send_hop> reader;  // who was asked for, if anybody
    bool was_read = false;           // by whomever

    [[nodiscard]] uint32_t first() const { return start.hop.lo; }
    [[nodiscard]] bool may_be_others() const { return (start.hop.flags & RECV_FILTERED) != 0 && !reader; }
  };

  void begin(const send_start &record);
  bool is_again(const send_start &record);
  void dispatch(InFlight &flight, const void *record);
  void pass(InFlight &flight, const send_hop &hop);
  void take(InFlight &flight, const recv_hop &record);
  void fill(InFlight &flight, const recv_hop &record);
  void end_hole(InFlight &flight);
  void read(InFlight &flight, const recv_hop &record);
  void drop(InFlight &flight, const send_hop &hop);
  void reset(InFlight &flight, const send_hop &hop);
  void close(InFlight &flight, const send_hop &hop);

  static std::pair<uint64_t, uint64_t> part_of(const InFlight &flight, const send_hop &hop);
  Hop &add_hop(InFlight &flight, const send_hop &hop);
  void finish(InFlight &flight, const Outcome &outcome, const std::string &reason = {});
  void finish_unread(InFlight &flight);

  Collector collector_;
  ReasonNames reasons_;
  InFlightSamples<InFlight> flights_;
  struct Stream {
    bool wanted = false;               // those who were asked for have read of it, or close it
    std::optional<uint32_t> had = {};  // TCP had all of the segment from here on before, and drops it now
  };
  bool is_drop_of_duplicate(const send_hop &hop);

  std::unordered_map<uint64_t, Stream> streams_;
  uint64_t merged_ = 0;        // samples that were others' hops
  uint64_t next_look_ns_ = 0;  // for what is silent, by the time of a record
};

}  // namespace strata
