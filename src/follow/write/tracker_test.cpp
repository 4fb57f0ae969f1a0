// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whatever hops come: nothing crashes, every sample ends once, and the account adds up. What is right for which hops
// is in tests/follow.
#include "follow/write/tracker.h"

#include <algorithm>
#include <cerrno>
#include <random>

#include "base/test.h"
#include "follow/test.h"

namespace strata {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint32_t kDisks = 2;

// Hops of a few files, samples, tracks and sectors, so that they meet.
class Hops {
 public:
  explicit Hops(uint64_t seed) : random_(seed) {}

  follow_start next() {
    follow_start start = {};
    follow_hop &hop = start.hop;
    hop.kind = below(HOP_WRITE_INODE + 2);
    hop.ts_ns = now_ns_ += below(1000);
    hop.mapping = 1 + below(2);
    hop.lo = below(8) * kPage;
    hop.hi = hop.lo + below(5) * kPage;
    hop.id = 1 + below(12);
    hop.parent = below(3) == 0 ? 1 + below(12) : 0;
    hop.dev = 1 + below(kDisks);
    hop.sector = hop.lo / 512;
    hop.sectors = below(5) * 8;
    hop.tid = 1 + below(3);
    hop.flags = 1U << below(10);
    if (hop.kind == HOP_ENTER) hop.id = ++samples_;
    if (hop.kind == HOP_LEAVE) hop.id = 1 + below(samples_ + 1);
    hop.result = result_of(hop);
    return start;
  }
  [[nodiscard]] uint64_t samples() const { return samples_; }

 private:
  uint32_t below(uint64_t n) { return static_cast<uint32_t>(random_() % n); }

  int64_t result_of(const follow_hop &hop) {
    constexpr int64_t kResults[] = {0, 0, 0, 0, 10, -EIO, -EAGAIN, -529};
    if (hop.kind == HOP_LEAVE && below(2) == 0) return static_cast<int64_t>(hop.hi - hop.lo);
    return kResults[below(std::size(kResults))];
  }

  std::mt19937_64 random_;
  uint64_t now_ns_ = 1'000'000;
  uint64_t samples_ = 0;
};

// Sorted, and with a reason where its outcome has one.
bool is_sound(const Sample &sample) {
  const auto ordered = [](const Hop &a, const Hop &b) { return a.ts_ns < b.ts_ns; };
  const bool told = sample.outcome->counts_by_reason();
  return !sample.hops.empty() && std::is_sorted(sample.hops.begin(), sample.hops.end(), ordered) &&
         sample.hops.front().ts_ns == sample.start_ns && (!told || !sample.reason.empty()) &&
         sample.start_ns + sample.total_ns == sample.hops.back().ts_ns && sample.seen_ns <= sample.total_ns;
}

}  // namespace

TEST_CASE("a chain ends every sample once and its account adds up, under random hops") {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::map<uint64_t, int> ended;
    INFO("seed " << seed);
    Tracker tracker(seed % 2 == 0, [&](const Sample &sample) {
      ++ended[sample.id];
      REQUIRE(is_sound(sample));
    });
    Hops hops(seed);
    for (int i = 0; i < 300; ++i) {
      const follow_start record = hops.next();
      tracker.on_record(&record, record.hop.kind == HOP_ENTER ? sizeof(record) : sizeof(record.hop));
      REQUIRE(sum_of_outcomes(tracker.account()) == tracker.account().sampled);
      REQUIRE(tracker.collector().ended() == ended.size());
    }
    const uint64_t unreported = seed % 3;
    const std::vector<Loss> losses = {{"ring buffer full", seed % 5}};
    tracker.end(hops.samples() + unreported, losses);
    CHECK(ended.size() == hops.samples());
    for (const auto &[id, times] : ended) CHECK(times == 1);
    CHECK(tracker.account().sampled == hops.samples() + unreported);
    CHECK(sum_of_outcomes(tracker.account()) == tracker.account().sampled);
  }
}

TEST_CASE("a chain does not look behind a record that is too short") {
  Tracker tracker(false, [](const Sample &) {});
  std::vector<follow_hop> hops(1);  // on the heap, so that a sanitizer sees it
  hops[0].kind = HOP_ENTER;
  tracker.on_record(hops.data(), sizeof(follow_hop));
  tracker.on_record(hops.data(), sizeof(follow_hop) - 1);
  tracker.end(0, {});
  CHECK(tracker.account().sampled == 0);
}

TEST_CASE("a sample that is told of twice is in the account twice") {
  uint64_t ended = 0;
  Tracker tracker(false, [&](const Sample &) { ++ended; });
  follow_start start = {};
  start.hop.kind = HOP_ENTER;
  start.hop.id = 1;
  start.hop.hi = kPage;
  tracker.on_record(&start, sizeof(start));
  tracker.on_record(&start, sizeof(start));
  tracker.end(2, {});
  CHECK(ended == 2);
  CHECK(sum_of_outcomes(tracker.account()) == 2);
}

}  // namespace strata
