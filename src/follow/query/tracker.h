// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// From records to samples of requests: which record belongs to which, and when one is over.
//
// A request is over when the next one arrives on its connection, or when that ends. One whose connection then falls
// silent is over after kQuietNs, if the other end has all of the answer: what a server writes later is not seen as a
// part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "follow/chain.h"
#include "follow/collector.h"
#include "follow/disk_names.h"
#include "follow/in_flight.h"
#include "follow/query.h"
#include "follow/query/hops.h"
#include "follow/query/labels.h"
#include "model/loss.h"
#include "model/sample.h"

namespace strata {

// The names of bpf/follow/query.h's losses, from LOSS_EXCHANGES_FULL on.
constexpr std::string_view kQueryLosses[] = {"too many sampled connections at once"};
constexpr std::string_view kQuerySkipped = "requests not looked at, program skipped, already running on its CPU";

class QueryTracker : public ChainTracker {
 public:
  static constexpr uint64_t kQuietNs = 200'000'000;
  // Of a request, of its threads, and of what they ask: what comes after is not shown.
  static constexpr size_t kMostHops = 16'384;

  explicit QueryTracker(Collector::Done done, const Thresholds &thresholds = {});

  void on_record(const void *record, size_t size) override;
  void on_time(uint64_t now_ns) override;
  void end(uint64_t sampled, const std::vector<Loss> &losses) override;
  void name_first(const void *record, const Take &take) override;  // labels and disks
  bool on_name(const RecordType &type, const void *name) override;

  [[nodiscard]] bool idle() const override { return flights_.empty(); }
  [[nodiscard]] bool calling() const override { return !flights_.empty(); }
  [[nodiscard]] const Collector &collector() const override { return collector_; }
  [[nodiscard]] Loss missed() const override { return {.reason = "hops", .count = 0}; }

 private:
  struct InFlight : InFlightSample {
    QueryRecords records;
    RequestWords words;
    uint64_t last_ns = 0;                                 // of its own records
    uint64_t answered_ns = 0;                             // last byte so far
    uint32_t answer_end = 0, acked = 0, client_read = 0;  // of the answer, all before them
    std::set<uint32_t> readers, tids;                     // that have read it, and that may serve it or wait for it

    [[nodiscard]] bool is_client(uint32_t tid) const {  // and no more
      return records.start.hop.kind == QUERY_CLIENT_SEND && records.start.hop.tid == tid && !readers.contains(tid);
    }
    [[nodiscard]] bool answered() const { return answer_end != records.start.answer; }
    [[nodiscard]] bool is_over(uint64_t now_ns) const { return received() && now_ns > last_ns + kQuietNs; }
    [[nodiscard]] bool received() const { return answered() && (acked == answer_end || client_read == answer_end); }
  };

  void start(const query_start &start);
  void add(InFlight &flight, const query_hop &hop);
  void add_of_thread(InFlight &flight, const query_hop &hop);
  static void add_upstream(InFlight &flight, const query_upstream &asked);
  void add_disk_request(InFlight &flight, const query_block &block);
  void add_thread(InFlight &flight, uint32_t tid);
  void add_sender(InFlight &flight, const query_hop &hop);
  void finish(InFlight &flight);  // as it stands
  void finish(InFlight &flight, const Outcome &outcome, const std::string &reason = {});
  void remove(const InFlight &flight);

  Collector collector_;
  Labels labels_;
  DiskNames disks_;
  InFlightSamples<InFlight> flights_;
  std::unordered_map<uint32_t, std::set<uint64_t>> serving_;  // by thread, the ids of flights_
  uint64_t next_look_ns_ = 0;                                 // for what is over, by the time of a record
};

}  // namespace strata
