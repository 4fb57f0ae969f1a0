// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What becomes of each byte of a send, by records that a person wrote; and whatever records come, every sample ends
// once and the account adds up.
#include "follow/send/tracker.h"

#include <cerrno>
#include <map>
#include <random>

#include "base/test.h"
#include "follow/test.h"

namespace strata {
namespace {

constexpr uint32_t kFirst = 0xffffffff - 99;  // the sequence numbers wrap after 100 bytes
constexpr uint64_t kSock = 7;

// A run of one socket, a record each microsecond.
class Run {
 public:
  Run() : tracker_([this](const Sample &sample) { samples.push_back(sample); }, false) {}

  Run &enter(uint64_t id, uint32_t from) {
    send_start start = {.hop = next(SEND_ENTER), .ends = {}};
    start.hop.id = id;
    start.hop.lo = start.hop.hi = kFirst + from;
    tracker_.on_record(&start, sizeof(start));
    return *this;
  }
  Run &leave(uint64_t id, int64_t result, uint32_t limit = LIMIT_NONE, uint32_t flags = 0) {
    send_hop hop = next(SEND_LEAVE);
    hop.id = id;
    hop.result = result;
    hop.limit = limit;
    hop.flags = flags;
    return put(hop);
  }
  Run &pass(uint32_t kind, uint32_t from, uint32_t to, uint32_t flags = 0) { return put(part(kind, from, to, flags)); }
  Run &pass_device(uint32_t kind, uint32_t from, uint32_t to, std::string_view device) {
    send_hop hop = part(kind, from, to, 0);
    device.copy(hop.dev, sizeof(hop.dev) - 1);
    return put(hop);
  }
  Run &all_before(uint32_t kind, uint32_t to, uint32_t flags = 0) { return pass(kind, 0, to, flags); }
  Run &reset(send_resetter by) {
    send_hop hop = next(SEND_RESET);
    hop.result = by;
    return put(hop);
  }
  Run &end(uint64_t sampled, const std::vector<Loss> &losses = {}) {
    tracker_.end(sampled, losses);
    return *this;
  }

  std::string only() const { return only_outcome(samples); }
  const Account &account() const { return tracker_.collector().account(); }
  std::vector<LayerTimes> layers() const { return tracker_.collector().layers(); }

  [[nodiscard]] std::string path() const {
    std::string all;
    for (const Hop &hop : samples.front().hops) all.append(hop.layer).append(" ");
    return all;
  }

  std::vector<Sample> samples;

 private:
  send_hop part(uint32_t kind, uint32_t from, uint32_t to, uint32_t flags) {
    send_hop hop = next(kind);
    hop.lo = kFirst + from;
    hop.hi = kFirst + to;
    hop.flags = flags;
    return hop;
  }
  send_hop next(uint32_t kind) {
    send_hop hop = {};
    hop.kind = kind;
    hop.sock = kSock;
    hop.ts_ns = now_ns_ += 1000;
    return hop;
  }
  Run &put(const send_hop &hop) {
    tracker_.on_record(&hop, sizeof(hop));
    return *this;
  }

  uint64_t now_ns_ = 1'000'000;
  SendTracker tracker_;
};

}  // namespace

TEST_CASE("a send to another machine is completed when its last byte is acknowledged") {
  Run run;
  run.enter(1, 0).pass(SEND_QUEUE, 0, 150).pass(SEND_XMIT, 0, 150).leave(1, 150).all_before(SEND_ACK, 149);
  CHECK(run.samples.empty());
  run.all_before(SEND_ACK, 150).end(1);
  CHECK(run.only() == "completed");
  CHECK(run.samples.front().hops.size() == 6);
  CHECK(run.samples.front().total_ns == 5000);
  CHECK(run.samples.front().seen_ns == 3000);
}

TEST_CASE("a send to this machine is completed when it was read, too, in either order") {
  Run run;
  run.enter(1, 0).pass(SEND_QUEUE, 0, 10).pass(SEND_TCP_RECEIVE, 0, 10).leave(1, 10).all_before(SEND_ACK, 10);
  CHECK(run.samples.empty());
  run.all_before(SEND_READ, 9);
  CHECK(run.samples.empty());
  run.all_before(SEND_READ, 10);
  CHECK(run.only() == "completed");

  Run other;
  other.enter(1, 0).pass(SEND_TCP_RECEIVE, 0, 10).all_before(SEND_READ, 10).all_before(SEND_ACK, 10);
  CHECK(other.samples.empty());  // the call has not returned
  CHECK(other.leave(1, 10).only() == "completed");
}

TEST_CASE("what a VLAN gives to the device below it was with a device") {
  Run run;
  run.enter(1, 0).pass_device(SEND_QUEUE, 0, 10, "vlan7").pass_device(SEND_XMIT, 0, 10, "vlan7");
  run.pass_device(SEND_QUEUE, 0, 10, "eth0").pass_device(SEND_XMIT, 0, 10, "eth0");
  run.pass_device(SEND_QUEUE, 0, 10, "vlan7").leave(1, 10).all_before(SEND_ACK, 10);
  CHECK(run.path() == "syscall tcp qdisc device qdisc tcp syscall ack ");
}

TEST_CASE("what a bridge gives to another device is forwarded, and what its sender sends again is not") {
  Run run;
  run.enter(1, 0)
      .pass_device(SEND_QUEUE, 0, 10, "eth0")
      .pass_device(SEND_XMIT, 0, 10, "eth0")
      .pass_device(SEND_RECEIVE, 0, 10, "port1");
  run.pass_device(SEND_QUEUE, 0, 5, "port2")
      .pass_device(SEND_QUEUE, 5, 10, "eth0")
      .pass_device(SEND_QUEUE, 0, 5, "port2");
  run.leave(1, 10).all_before(SEND_ACK, 10);
  CHECK(run.path() == "syscall tcp qdisc device forward tcp tcp syscall ack ");
}

TEST_CASE("what lies around a sample's bytes is not its own") {
  Run run;
  run.enter(1, 100).leave(1, 50);
  run.pass(SEND_QUEUE, 0, 100).pass(SEND_QUEUE, 150, 200).all_before(SEND_ACK, 100);
  CHECK(run.samples.empty());
  run.pass(SEND_RETRANSMIT, 90, 160).all_before(SEND_ACK, 300);
  CHECK(run.only() == "completed");
  const std::vector<Hop> &hops = run.samples.front().hops;
  REQUIRE(hops.size() == 4);
  CHECK(hops[2].name == "retransmit");
  CHECK(std::get<uint64_t>(hops[2].fields.at(0).value) == 0);
  CHECK(std::get<uint64_t>(hops[2].fields.at(1).value) == 50);
}

TEST_CASE("the end of a run says what was not acknowledged and what was not read") {
  Run run;
  run.enter(1, 0).leave(1, 10).enter(2, 10).leave(2, 10).pass(SEND_TCP_RECEIVE, 0, 20).all_before(SEND_ACK, 10).end(2);
  CHECK(run.account().of(kNotRead) == 1);
  CHECK(run.account().of(kNotAcknowledged) == 1);
  CHECK(sum_of_outcomes(run.account()) == 2);
}

TEST_CASE("a connection that ends cuts off what was not acknowledged or read, and says who did it") {
  CHECK(Run().enter(1, 0).leave(1, 10).reset(RESET_BY_PEER).all_before(SEND_CLOSE, 5).only() ==
        "cut_off: reset by the other end");
  CHECK(Run()
            .enter(1, 0)
            .leave(1, 10)
            .pass(SEND_TCP_RECEIVE, 0, 10)
            .all_before(SEND_ACK, 10)
            .reset(RESET_BY_READER)
            .reset(RESET_BY_PEER)
            .all_before(SEND_CLOSE, 10)
            .only() == "cut_off: reset by the reader");
  CHECK(Run().enter(1, 0).leave(1, 10).reset(RESET_BY_PEER).reset(RESET_BY_READER).all_before(SEND_CLOSE, 0).only() ==
        "cut_off: reset by the reader");
  CHECK(Run().enter(1, 0).leave(1, 10).all_before(SEND_CLOSE, 0).only() == "cut_off: closed");
  CHECK(Run().enter(1, 0).leave(1, 10).all_before(SEND_ACK, 10).pass(SEND_TCP_RECEIVE, 0, 10).samples.size() == 1);
  CHECK(Run().enter(1, 0).leave(1, 10).pass(SEND_TCP_RECEIVE, 0, 10).all_before(SEND_PEER_CLOSE, 9).only() ==
        "cut_off: closed by the reader");
}

TEST_CASE("a reader may come when the sender's socket has ended, and its address is another's") {
  Run run;
  run.enter(1, 0).pass(SEND_TCP_RECEIVE, 0, 10).leave(1, 10).all_before(SEND_ACK, 10).all_before(SEND_CLOSE, 10);
  run.all_before(SEND_READ, 10);  // of the other
  CHECK(run.samples.empty());
  CHECK(run.all_before(SEND_READ, 10, SEND_GONE).only() == "completed");
}

TEST_CASE("a call that failed, sent nothing, or whose place is not known") {
  CHECK(Run().enter(1, 0).leave(1, -EAGAIN).only() == "failed: EAGAIN");
  CHECK(Run().enter(1, 0).leave(1, 0).only() == "empty");
  CHECK(Run().enter(1, 0).leave(1, 10, LIMIT_NONE, SEND_UNSURE).only() == "lost: place in the stream not known");
}

TEST_CASE("bytes that waited for the window did so in a layer of their own") {
  Run run;
  run.enter(1, 0).pass(SEND_QUEUE, 0, 60).leave(1, 100, LIMIT_WINDOW).pass(SEND_QUEUE, 60, 100);
  run.all_before(SEND_ACK, 100);
  CHECK(run.only() == "completed");
  std::map<std::string, uint64_t> counts;
  for (const LayerTimes &times : run.layers()) counts[times.layer] += times.ns.count();
  CHECK(counts == std::map<std::string, uint64_t>{{"tcp", 1}, {"syscall", 1}, {"window", 1}, {"ack", 1}});
}

TEST_CASE("sends end once and their account adds up, under random hops") {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](uint64_t n) { return static_cast<uint32_t>(random() % n); };
    std::map<uint64_t, int> ended;
    SendTracker tracker([&](const Sample &sample) { ++ended[sample.id]; }, false);
    uint64_t now_ns = 1, samples = 0;
    INFO("seed " << seed);
    for (int i = 0; i < 300; ++i) {
      send_start record = {};
      send_hop &hop = record.hop;
      hop.kind = below(SEND_RESET + 2);
      hop.ts_ns = now_ns += below(1000);
      hop.sock = 1 + below(2);
      hop.flags = below(8) == 0 ? below(4) : 0;
      hop.lo = kFirst + below(200);
      hop.hi = hop.lo + below(100);
      hop.id = hop.kind == SEND_ENTER ? ++samples : 1 + below(samples + 1);
      hop.result = hop.kind == SEND_LEAVE ? int64_t{below(120)} - 10 : below(3);
      hop.limit = below(4);
      tracker.on_record(&record, hop.kind == SEND_ENTER ? sizeof(record) : sizeof(hop));
      REQUIRE(tracker.collector().ended() == ended.size());
    }
    tracker.end(samples + seed % 3, {{"ring buffer full", seed % 5}});
    CHECK(ended.size() == samples);
    for (const auto &[id, times] : ended) CHECK(times == 1);
    CHECK(tracker.collector().account().sampled == samples + seed % 3);
    CHECK(sum_of_outcomes(tracker.collector().account()) == samples + seed % 3);
  }
}

TEST_CASE("a record of a send that is too short is not looked at") {
  SendTracker tracker([](const Sample &) {}, false);
  std::vector<send_hop> hops(1);  // on the heap, so that a sanitizer sees it
  hops[0].kind = SEND_ENTER;
  tracker.on_record(hops.data(), sizeof(send_hop));
  tracker.on_record(hops.data(), sizeof(send_hop) - 1);
  tracker.end(0, {});
  CHECK(tracker.collector().account().sampled == 0);
}

}  // namespace strata
