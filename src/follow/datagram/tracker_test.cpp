// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What becomes of each packet of a datagram, by records that a person wrote; and whatever records come, every sample
// ends once and the account adds up.
#include "follow/datagram/tracker.h"

#include <cerrno>
#include <random>

#include "base/test.h"
#include "follow/recv/hops.h"
#include "follow/test.h"

namespace strata {
namespace {

constexpr uint64_t kPacket = 256, kSecond = 512;

// A run of samples that are sent, or that arrive, a record each microsecond.
class Run {
 public:
  explicit Run(bool receives = false)
      : tracker_([this](const Sample &sample) { samples.push_back(sample); }, receives, false) {}

  Run &enter(uint64_t id = 1) { return start(SEND_ENTER, id, 0, 0, 0); }
  Run &arrive(uint32_t bytes, uint32_t flags = 0, uint64_t id = 1) {
    start_flags_ = flags;
    return start(RECV_ARRIVE, id, kPacket, 0, bytes);
  }
  Run &packet(uint32_t lo, uint32_t hi, uint64_t address = kPacket) { return start(SEND_PACKET, 1, address, lo, hi); }
  Run &pass(uint32_t kind, uint64_t address = kPacket) {
    const send_hop hop = next(kind, 1, address);
    tracker_.on_record(&hop, sizeof(hop));
    return *this;
  }
  Run &leave(int64_t result, uint32_t flags = 0) {
    send_hop hop = next(SEND_LEAVE, 1, 0);
    hop.result = result;
    hop.flags = flags;
    tracker_.on_record(&hop, sizeof(hop));
    return *this;
  }
  Run &drop(uint64_t address = kPacket) {
    send_hop hop = next(SEND_DROP, 1, address);
    hop.reason = SEND_NO_REASON;
    tracker_.on_record(&hop, sizeof(hop));
    return *this;
  }
  Run &read(uint32_t woken_us = 0, uint32_t ran_us = 0, uint32_t flags = 0, uint64_t address = kPacket) {
    recv_hop record = {.hop = next(RECV_READ, 1, address)};
    set_reader(record, woken_us, ran_us, flags);
    tracker_.on_record(&record, sizeof(record));
    return *this;
  }
  // So many nanoseconds after the sample began, which is told now.
  Run &read_earlier(uint64_t ns) {
    recv_hop record = {.hop = next(RECV_READ, 1, kPacket)};
    record.hop.ts_ns = 1'001'000 + ns;
    tracker_.on_record(&record, sizeof(record));
    return *this;
  }
  Run &silence(uint64_t ns) {
    tracker_.on_time(now_ns_ += ns);
    return *this;
  }
  Run &end(uint64_t sampled, const std::vector<Loss> &losses = {}) {
    tracker_.end(sampled, losses);
    return *this;
  }

  std::string only() const { return only_outcome(samples); }
  const Account &account() const { return tracker_.collector().account(); }
  // Of the only sample: "layer name" of each hop.
  std::vector<std::string> hops() const {
    std::vector<std::string> all;
    for (const Hop &hop : samples.at(0).hops) all.push_back(std::string(hop.layer) + " " + hop.name);
    return all;
  }

  std::vector<Sample> samples;

 private:
  send_hop next(uint32_t kind, uint64_t id, uint64_t address) {
    send_hop hop = {};
    hop.kind = kind;
    hop.id = id;
    hop.sock = address;
    hop.ts_ns = now_ns_ += 1000;
    return hop;
  }
  Run &start(uint32_t kind, uint64_t id, uint64_t address, uint32_t lo, uint32_t hi) {
    send_start record = {.hop = next(kind, id, address), .ends = {}};
    record.hop.lo = lo;
    record.hop.hi = hi;
    record.hop.flags = start_flags_;
    tracker_.on_record(&record, sizeof(record));
    return *this;
  }

  uint64_t now_ns_ = 1'000'000;
  uint32_t start_flags_ = 0;
  DatagramTracker tracker_;
};

using Hops = std::vector<std::string>;

}  // namespace

TEST_CASE("a datagram is read by a thread that was woken for it, before its sender returned") {
  Run run;
  run.enter().packet(0, 100).pass(SEND_QUEUE).pass(SEND_XMIT).pass(SEND_RECEIVE).pass(SEND_SOCKET);
  run.leave(100).silence(1000).read(2, 1);
  CHECK(run.only() == "completed");
  CHECK(run.hops() == Hops{"syscall enter", "udp queue", "qdisc transmit", "device receive", "peer udp queued",
                           "syscall leave", "wake-up woken", "run queue run", "reader read"});
}

TEST_CASE("what its device has sent is sent, and what is consumed before is taken over") {
  SECTION("by the driver") {
    Run run;
    run.enter().packet(0, 100).pass(SEND_QUEUE).pass(SEND_XMIT).leave(100);
    CHECK(run.samples.empty());
    CHECK(run.pass(SEND_DONE).only() == "sent");
    CHECK(run.hops().back() == "device sent");
  }
  SECTION("split before the driver") {
    Run run;
    CHECK(run.enter().packet(0, 100).pass(SEND_QUEUE).pass(SEND_DONE).leave(100).only() == "taken");
    CHECK(run.hops()[2] == "qdisc taken over");
  }
  SECTION("by the kernel, where it arrived") {
    Run run(true);
    CHECK(run.arrive(100).pass(SEND_DONE).only() == "taken");
    CHECK(run.hops().back() == "udp taken over");
  }
}

TEST_CASE("a packet that waits for its neighbour's address has waited for that") {
  Run run;
  run.enter().packet(0, 9).pass(SEND_NEIGHBOUR).leave(9).pass(SEND_QUEUE).pass(SEND_XMIT).pass(SEND_DONE);
  CHECK(run.only() == "sent");
  CHECK(run.hops() ==
        Hops{"syscall enter", "udp ask", "syscall leave", "neighbour queue", "qdisc transmit", "device sent"});
}

TEST_CASE("what a bridge or a router gives to another device is forwarded") {
  Run run(true);
  run.arrive(9).pass(SEND_QUEUE).pass(SEND_XMIT).silence(DatagramTracker::kSilentNs + 1).pass(SEND_DONE);
  CHECK(run.only() == "sent");
  CHECK(run.hops() == Hops{"device arrive", "forward queue", "qdisc transmit", "device sent"});
}

TEST_CASE("what a device gives to another one was with that device") {
  Run run;
  run.enter().packet(0, 9).pass(SEND_QUEUE).pass(SEND_XMIT).pass(SEND_QUEUE).pass(SEND_XMIT).leave(9).pass(SEND_DONE);
  CHECK(run.hops() == Hops{"syscall enter", "udp queue", "qdisc transmit", "device queue", "qdisc transmit",
                           "syscall leave", "device sent"});
}

TEST_CASE("a read that is told after the hop at its queue was not before it") {
  Run run(true);
  run.arrive(9).pass(SEND_SOCKET).read_earlier(500);
  CHECK(run.only() == "completed");
  CHECK(run.hops() == Hops{"device arrive", "udp queued", "socket queue read"});
  CHECK(run.samples[0].total_ns == 500);
}

TEST_CASE("a datagram in fragments is read when one of its packets is, and has its size") {
  Run run;
  run.enter().packet(0, 1472).pass(SEND_QUEUE).packet(1472, 2000, kSecond).pass(SEND_QUEUE, kSecond).leave(2000);
  run.pass(SEND_RECEIVE).pass(SEND_RECEIVE, kSecond).read(0, 0, 0, kSecond);
  CHECK(run.only() == "completed");
  CHECK(std::get<uint64_t>(*value_of(run.samples[0].fields, "size_bytes")) == 2000);
}

TEST_CASE("of fragments one that is dropped makes the datagram dropped") {
  Run run;
  run.enter().packet(0, 1472).packet(1472, 2000, kSecond).leave(2000).drop().pass(SEND_XMIT, kSecond);
  CHECK(run.samples.empty());
  CHECK(run.pass(SEND_DONE, kSecond).only() == "dropped: no reason is told");
}

TEST_CASE("a fragment that has become a part of the last one, or whose end was not seen, does not end the datagram") {
  for (const uint32_t kind : {SEND_JOINED, SEND_ABANDONED}) {
    Run run;
    run.enter().packet(0, 1472).packet(1472, 2000, kSecond).leave(2000).pass(SEND_RECEIVE).pass(kind);
    CHECK(run.samples.empty());
    CHECK(run.read(0, 0, 0, kSecond).only() == "completed");
  }
  CHECK(Run().enter().packet(0, 9).leave(9).pass(SEND_RECEIVE).pass(SEND_ABANDONED).only() == "lost: end not seen");
}

TEST_CASE("a call without a packet has failed, is corked, or its packet was not seen") {
  CHECK(Run().enter().leave(-EMSGSIZE).only() == "failed: EMSGSIZE");
  CHECK(Run().enter().leave(10, SEND_CORKED).only() == "corked");
  CHECK(Run().enter().leave(10).only() == "lost: its packet was not seen");
  CHECK(Run().enter().pass(SEND_ABANDONED, 0).only() == "lost: return not seen");
}

TEST_CASE("one that lies in a queue when the run ends is not read, one on its way not sent") {
  CHECK(Run().enter().packet(0, 1).leave(1).pass(SEND_RECEIVE).pass(SEND_SOCKET).end(1).only() == "unread");
  CHECK(Run().enter().packet(0, 1).leave(1).pass(SEND_QUEUE).end(1).only() == "pending");
  CHECK(Run().enter().packet(0, 1).leave(1).end(1, {{"ring buffer full", 1}}).only() == "lost: ring buffer full");
}

TEST_CASE("what no socket had within two seconds was not delivered, and what lies in one may stay there") {
  constexpr uint64_t kLong = DatagramTracker::kSilentNs + 1;
  CHECK(Run(true).arrive(1).silence(kLong).only() == "undelivered");
  CHECK(Run(true).arrive(1).pass(SEND_SOCKET).silence(kLong).read().only() == "completed");
  CHECK(Run(true).arrive(1, RECV_UNQUEUED).silence(kLong).read().only() == "completed");  // before 6.3
}

TEST_CASE("whom a datagram is for that nobody has read is known when somebody reads there") {
  Run run(true);
  run.arrive(1, RECV_FILTERED).drop().arrive(1, RECV_FILTERED).read(0, 0, RECV_OTHERS);
  CHECK(run.samples.empty());
  CHECK(run.account().of(kOfOthers) == 2);
  run.arrive(1, RECV_FILTERED).drop().arrive(1, RECV_FILTERED).read().arrive(1, RECV_FILTERED).drop();
  CHECK(run.account().of(kOfOthers) == 3);  // where others have read last
  REQUIRE(run.samples.size() == 2);
  CHECK(run.samples[0].outcome == &kCompleted);
  CHECK(run.samples[1].outcome == &kDropped);
}

TEST_CASE("what is dropped before its reader has read at all is shown with that, and without it is of others") {
  Run run(true);
  run.arrive(1, RECV_FILTERED).drop();
  CHECK(run.samples.empty());
  run.arrive(1, RECV_FILTERED).read();
  CHECK(run.samples.size() == 2);
  CHECK(Run(true).arrive(1, RECV_FILTERED).drop().end(1).account().of(kOfOthers) == 1);
}

TEST_CASE("whatever comes, each sample ends once, and the account adds up") {
  std::mt19937 random(7);
  const auto any = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (int round = 0; round < 300; round++) {
    const bool receives = any(2) == 0;
    Run run(receives);
    uint64_t begun = 0;
    for (int i = 0; i < 60; i++) {
      const uint64_t address = any(2) == 0 ? kPacket : kSecond;
      switch (any(8)) {
        case 0:
          run.enter();
          begun += receives ? 0 : 1;
          break;
        case 1:
          run.arrive(9, any(2) == 0 ? RECV_FILTERED : 0);
          begun += receives ? 1 : 0;
          break;
        case 2:
          run.packet(0, any(100), address);
          break;
        case 3:
          run.leave(int64_t{any(100)} - 20, any(2) == 0 ? SEND_CORKED : 0);
          break;
        case 4:
          run.read(any(3), any(3), any(2) == 0 ? RECV_OTHERS : 0, address);
          break;
        case 5:
          run.drop(address);
          break;
        default:
          run.pass(any(SEND_DONE + 2), address);
      }
    }
    run.end(begun);
    CHECK(run.account().sampled == begun);
    CHECK(sum_of_outcomes(run.account()) == begun);
  }
}

TEST_CASE("a record that is cut is none") {
  for (const bool receives : {false, true}) {
    DatagramTracker tracker([](const Sample &) {}, receives, false);
    std::vector<send_hop> hops(1);  // on the heap, so that a sanitizer sees it
    for (uint32_t kind = 0; kind <= SEND_DONE; kind++) {
      hops[0].kind = kind;
      tracker.on_record(hops.data(), sizeof(send_hop));
      tracker.on_record(hops.data(), sizeof(send_hop) - 1);
    }
    tracker.end(0, {});
    CHECK(tracker.collector().account().sampled == 0);
  }
}

}  // namespace strata
