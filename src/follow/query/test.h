// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One request, hop by hop, for the tests of its tracker.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "follow/query.h"
#include "follow/query/tracker.h"
#include "kern/syscall.h"

namespace strata {

constexpr uint32_t kReader = 10, kWorker = 11, kBystander = 12;
constexpr uint32_t kRequest = 0xffffff00, kAnswer = 0xfffffff0;  // sequence numbers that wrap

inline query_hop wait_in(std::string_view call, std::string_view waker = {}, uint32_t flags = 0) {
  query_hop hop = {};
  hop.kind = QUERY_WAIT;
  hop.flags = flags;
  hop.call = call.empty() ? -1 : static_cast<int32_t>(syscall_number(call));
  hop.other_call = waker.empty() ? QUERY_NO_CALL : static_cast<int32_t>(syscall_number(waker));
  return hop;
}

// One request of 10 bytes, as the connection's chosen end sees it begin.
class Begun {
 public:
  explicit Begun(const query_start &start) { tracker.on_record(&start, sizeof(start)); }
  explicit Begun(uint32_t kind, uint32_t flags = 0, uint32_t tid = kBystander) {
    query_start start = {};
    start.hop.kind = kind;
    start.hop.flags = flags;
    start.hop.tid = tid;
    start.hop.id = 1;
    start.hop.ts_ns = kStart;
    start.hop.lo = kRequest;
    start.hop.hi = kRequest + 10;
    start.answer = kAnswer;
    tracker.on_record(&start, sizeof(start));
  }
  void put(uint32_t kind, uint32_t hi, uint64_t ts_ns, uint64_t id = 1, uint32_t tid = kReader) {
    query_hop hop = {};
    hop.kind = kind;
    hop.id = id;
    hop.hi = hi;
    hop.ts_ns = ts_ns;
    hop.tid = hop.tgid = tid;
    hop.flags = QUERY_BY_TASK;
    hop.arrivals = arrivals_[tid];
    tracker.on_record(&hop, sizeof(hop));
  }
  // The thread sleeps in recvfrom, and has a CPU again 10 ns after it was woken.
  void wait(uint32_t tid, uint64_t out_ns, uint64_t wake_ns, uint32_t flags = 0) {
    query_hop hop = wait_in("recvfrom", {}, flags);
    hop.tid = tid;
    hop.out_ns = out_ns;
    hop.wake_ns = wake_ns;
    hop.ts_ns = wake_ns + 10;
    hop.arrivals = ++arrivals_[tid];
    tracker.on_record(&hop, sizeof(hop));
  }
  [[nodiscard]] std::string story() const {  // of the first sample: each hop and when it was
    std::string text;
    for (const Hop &hop : samples.at(0).hops)
      text += std::string(hop.layer) + " " + hop.name + " " + std::to_string(hop.ts_ns - kStart) + "\n";
    return text;
  }

  static constexpr uint64_t kStart = 1000;
  std::vector<Sample> samples;
  QueryTracker tracker{[this](const Sample &sample) { samples.push_back(sample); }};

 private:
  std::map<uint32_t, uint64_t> arrivals_;  // of each thread on a CPU
};

// Whose arrival was seen, and which thread kReader reads.
class Request : public Begun {
 public:
  Request() : Begun(QUERY_ARRIVE) { put(QUERY_READ, kRequest + 10, kStart + 1); }
};

}  // namespace strata
