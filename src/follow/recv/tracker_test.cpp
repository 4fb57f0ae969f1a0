// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What becomes of each byte of a segment that arrives, by records that a person wrote; and whatever records come, every
// sample ends once and the account adds up.
#include "follow/recv/tracker.h"

#include <map>
#include <random>

#include "base/test.h"
#include "follow/test.h"

namespace strata {
namespace {

constexpr uint32_t kFirst = 0xffffffff - 99;  // the sequence numbers wrap after 100 bytes
constexpr uint64_t kStream = 8;

// A run of one stream, a record each microsecond.
class Run {
 public:
  Run() : tracker_([this](const Sample &sample) { samples.push_back(sample); }, false) {}

  Run &arrive(uint64_t id, uint32_t from, uint32_t to, uint32_t flags = 0) {
    send_start start = {.hop = next(RECV_ARRIVE, from, to), .ends = {}};
    start.hop.id = id;
    start.hop.flags = flags;
    tracker_.on_record(&start, sizeof(start));
    return *this;
  }
  // TCP has [from, to), and has had all before `had`.
  Run &tcp(uint32_t from, uint32_t to, uint32_t had, uint32_t flags = 0) {
    recv_hop record = {.hop = next(RECV_TCP, from, to), .next = kFirst + had};
    record.hop.flags = flags;
    tracker_.on_record(&record, sizeof(record));
    return *this;
  }
  Run &in_order(uint32_t from, uint32_t to) { return tcp(from, to, from); }
  Run &read(uint32_t to, uint32_t woken_us = 0, uint32_t ran_us = 0, uint32_t flags = 0) {
    recv_hop record = {.hop = next(RECV_READ, 0, to)};
    set_reader(record, woken_us, ran_us, flags);
    tracker_.on_record(&record, sizeof(record));
    return *this;
  }
  Run &pass(uint32_t kind, uint32_t from, uint32_t to) {
    send_hop hop = next(kind, from, to);
    tracker_.on_record(&hop, sizeof(hop));
    return *this;
  }
  Run &drop(uint32_t from, uint32_t to) {
    send_hop hop = next(SEND_DROP, from, to);
    hop.reason = 2;
    tracker_.on_record(&hop, sizeof(hop));
    return *this;
  }
  Run &reset(send_resetter by) {
    send_hop hop = next(SEND_RESET, 0, 0);
    hop.result = by;
    tracker_.on_record(&hop, sizeof(hop));
    return *this;
  }
  Run &wait(uint64_t ns) {
    tracker_.on_time(now_ns_ += ns);
    return *this;
  }
  Run &end(uint64_t sampled, const std::vector<Loss> &losses = {}) {
    tracker_.end(sampled, losses);
    return *this;
  }

  std::string only() const { return only_outcome(samples); }
  std::string way(size_t which = 0) const {  // where its time was spent, in order
    REQUIRE(samples.size() > which);
    std::string way;
    for (const Hop &hop : samples[which].hops)
      way += (way.empty() ? "" : ", ") + std::string(hop.layer) + " " + hop.name;
    return way;
  }
  const Account &account() const { return tracker_.collector().account(); }

  std::vector<Sample> samples;

 private:
  send_hop next(uint32_t kind, uint32_t from, uint32_t to) {
    send_hop hop = {};
    hop.kind = kind;
    hop.sock = kStream;
    hop.ts_ns = now_ns_ += 1000;
    hop.lo = kFirst + from;
    hop.hi = kFirst + to;
    return hop;
  }

  uint64_t now_ns_ = 1'000'000;
  RecvTracker tracker_;
};

}  // namespace

TEST_CASE("a segment is completed when its last byte was read") {
  Run run;
  run.arrive(1, 50, 150).in_order(50, 150).read(100);
  CHECK(run.samples.empty());
  run.read(150).end(1);
  CHECK(run.only() == "completed");
  CHECK(run.way() == "device arrive, tcp receive, socket queue read, socket queue read");
  CHECK(run.samples.front().total_ns == 3000);
  CHECK(run.samples.front().seen_ns == 3000);
}

TEST_CASE("a reader that slept for it was woken, and waited for a CPU") {
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).wait(9000).read(10, 7, 3).way() ==
        "device arrive, tcp receive, wake-up woken, run queue run, reader read");
  // Already woken, by what came before.
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).wait(1000).read(10, 5, 1).way() ==
        "device arrive, tcp receive, run queue run, reader read");
  // It has run since long before.
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).read(10, 7, 5).way() == "device arrive, tcp receive, socket queue read");
}

TEST_CASE("a segment that lay in the backlog, or before which bytes were missing") {
  CHECK(Run().arrive(1, 0, 10).tcp(0, 10, 0, RECV_BACKLOG).read(10).way() ==
        "device arrive, backlog receive, socket queue read");
  Run run;
  run.arrive(1, 60, 90).tcp(60, 90, 20).in_order(20, 40).in_order(40, 60).read(90);
  CHECK(run.only() == "completed");
  CHECK(run.way() == "device arrive, tcp receive, out of order filled, socket queue read");
  CHECK(run.samples.front().hops[2].ts_ns - run.samples.front().start_ns == 3000);
  // Others that are out of order lie in between: the last that filled it is known by what TCP waits for then.
  CHECK(Run().arrive(1, 60, 90).tcp(60, 90, 20).in_order(20, 40).tcp(90, 95, 90).read(90).way() ==
        "device arrive, tcp receive, out of order filled, socket queue read");
}

TEST_CASE("a segment that is sampled at each device, or sent again, is one sample") {
  Run run;
  run.arrive(1, 0, 10).arrive(2, 0, 10).in_order(0, 10).read(10).end(2);
  CHECK(run.only() == "completed");
  CHECK(run.way() == "device arrive, device receive, tcp receive, socket queue read");
  CHECK(run.account().sampled == 1);

  Run dropped;
  dropped.arrive(1, 0, 10).drop(0, 10).arrive(2, 0, 10).in_order(0, 10).read(10).end(2);
  CHECK(dropped.way() == "device arrive, drop drop, device receive, tcp receive, socket queue read");
  CHECK(dropped.only() == "completed");

  Run late;  // TCP has had it
  late.arrive(1, 0, 10).in_order(0, 10).arrive(2, 0, 10).tcp(0, 10, 10).drop(0, 10).read(10);
  late.arrive(3, 0, 10).tcp(0, 10, 10).drop(0, 10);
  REQUIRE(late.samples.size() == 3);
  CHECK(late.samples[0].outcome == &kDuplicate);
  CHECK(late.samples[1].outcome == &kCompleted);
  CHECK(late.way(1) == "device arrive, tcp receive, socket queue read");
  CHECK(late.samples[2].outcome == &kDuplicate);
}

TEST_CASE("a segment that nobody reads") {
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).wait(2 * RecvTracker::kSilentNs).end(1).only() == "unread");
  CHECK(Run().arrive(1, 0, 10).drop(0, 10).end(1).only() == "dropped: 2");
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).drop(0, 10).wait(RecvTracker::kSilentNs).wait(1).only() == "dropped: 2");
  CHECK(Run().arrive(1, 0, 10).wait(RecvTracker::kSilentNs + 1).only() == "undelivered");
  CHECK(Run().arrive(1, 0, 10).wait(RecvTracker::kSilentNs / 2).samples.empty());
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).end(2, {{"ring buffer full", 1}}).only() == "lost: ring buffer full");
}

TEST_CASE("a connection that ends cuts off what was not read, and says who did it") {
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).pass(SEND_PEER_CLOSE, 0, 9).only() == "cut_off: closed by the reader");
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).reset(RESET_BY_READER).pass(SEND_PEER_CLOSE, 0, 0).only() ==
        "cut_off: reset by the reader");
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).reset(RESET_BY_PEER).pass(SEND_PEER_CLOSE, 0, 0).only() ==
        "cut_off: reset by the other end");
  CHECK(Run().arrive(1, 0, 10).in_order(0, 10).pass(SEND_PEER_CLOSE, 0, 10).only() == "completed");
}

TEST_CASE("with a filter what others read is counted and not shown, and so is what nobody has read who was asked for") {
  Run run;
  run.arrive(1, 0, 10, RECV_FILTERED).in_order(0, 10).read(10, 0, 0, RECV_OTHERS);
  run.arrive(2, 10, 20, RECV_FILTERED).in_order(10, 20).end(2);
  CHECK(run.samples.empty());
  CHECK(run.account().of(kOfOthers) == 2);

  Run own;
  own.arrive(1, 0, 10, RECV_FILTERED).in_order(0, 10).read(10);
  own.arrive(2, 10, 20, RECV_FILTERED).in_order(10, 20).end(2);
  REQUIRE(own.samples.size() == 2);
  CHECK(own.samples[1].outcome == &kSegmentNotRead);
}

TEST_CASE("segments end once and their account adds up, under random hops") {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](uint64_t n) { return static_cast<uint32_t>(random() % n); };
    std::map<uint64_t, int> ended;
    RecvTracker tracker([&](const Sample &sample) { ++ended[sample.id]; }, false);
    uint64_t now_ns = 1, samples = 0;
    INFO("seed " << seed);
    for (int i = 0; i < 300; ++i) {
      send_start start = {};
      send_hop hop = {};
      hop.kind = below(4) == 0 ? uint32_t{RECV_ARRIVE} : below(RECV_READ + 2);
      hop.ts_ns = now_ns += below(20) == 0 ? below(3'000'000'000) : below(1000);
      hop.sock = 2 + 2 * below(2);
      hop.flags = below(4) == 0 ? below(32) : 0;
      hop.lo = kFirst + below(200);
      hop.hi = hop.lo + below(100) + 1;
      hop.result = below(3);
      if (hop.kind == RECV_ARRIVE) hop.id = ++samples;
      start.hop = hop;
      const recv_hop record = {.hop = hop, .run_ns = below(2) * (now_ns - below(2000)), .next = kFirst + below(300)};
      if (hop.kind == RECV_ARRIVE)
        tracker.on_record(&start, sizeof(start));
      else
        tracker.on_record(&record, hop.kind < RECV_TCP ? sizeof(hop) : sizeof(record));
    }
    const uint64_t lost = seed % 3;
    tracker.end(samples + lost, {{"ring buffer full", seed % 5}});
    for (const auto &[id, times] : ended) CHECK(times == 1);
    CHECK(tracker.collector().ended() == samples);
    CHECK(tracker.idle());
    CHECK(tracker.collector().account().sampled == sum_of_outcomes(tracker.collector().account()));
    CHECK(tracker.collector().account().sampled <= samples + lost);
  }
}

TEST_CASE("a record of a segment that is too short is not looked at") {
  RecvTracker tracker([](const Sample &) {}, false);
  std::vector<send_hop> hops(1);  // on the heap, so that a sanitizer sees it
  for (const uint32_t kind : {RECV_ARRIVE, RECV_TCP, RECV_READ}) {
    hops[0].kind = kind;
    tracker.on_record(hops.data(), sizeof(send_hop));
    tracker.on_record(hops.data(), sizeof(send_hop) - 1);
  }
  tracker.end(0, {});
  CHECK(tracker.collector().account().sampled == 0);
}

}  // namespace strata
