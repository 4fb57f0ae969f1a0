// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whatever hops come: nothing crashes, every sample ends once, its sources are its bytes, and the account adds up. What
// is right for which hops of a kernel is in tests/follow.
#include "follow/read/tracker.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <random>

#include "base/test.h"
#include "follow/test.h"

namespace strata {
namespace {

constexpr uint64_t kPage = 4096;

class Hops {
 public:
  explicit Hops(uint64_t seed) : random_(seed) {}

  follow_start next() {
    constexpr uint32_t kKinds[] = {HOP_ENTER,    HOP_LEAVE,        HOP_AGAIN, HOP_ABANDONED, HOP_BIO,
                                   HOP_BIO,      HOP_REMAP,        HOP_GETRQ, HOP_ISSUE,     HOP_ADD,
                                   HOP_COMPLETE, HOP_BIO_COMPLETE, HOP_SLEEP, HOP_RUN};
    follow_start start = {};
    follow_hop &hop = start.hop;
    hop.kind = kKinds[below(std::size(kKinds))];
    hop.ts_ns = now_ns_ += below(1000);
    hop.mapping = 1 + below(2);
    hop.lo = below(8) * kPage;
    hop.hi = hop.lo + below(5) * kPage;
    hop.id = 1 + below(samples_ + 3);
    hop.parent = below(2) == 0 ? 1 + below(samples_ + 1) : 0;
    hop.dev = 1 + below(2);
    hop.sector = hop.lo / 512;
    hop.sectors = below(5) * 8;
    hop.tid = 1 + below(3);
    hop.flags = (below(4) == 0 ? CALL_DIRECT : 0) | (below(3) == 0 ? CALL_ASYNC : 0) | (below(9) == 0 ? BIO_DIRECT : 0);
    if (hop.kind == HOP_ENTER) hop.id = ++samples_;
    if (hop.kind == HOP_BIO && below(3) == 0) hop.ts_ns -= std::min<uint64_t>(hop.ts_ns - 1'000'000, 5000);
    constexpr int64_t kResults[] = {0, 0, -EIO, -EAGAIN, -529};
    hop.result = kResults[below(std::size(kResults))];
    if (hop.kind == HOP_LEAVE && below(2) == 0) hop.result = static_cast<int64_t>(hop.hi - hop.lo);
    return start;
  }
  [[nodiscard]] uint64_t samples() const { return samples_; }

 private:
  uint32_t below(uint64_t n) { return static_cast<uint32_t>(random_() % n); }

  std::mt19937_64 random_;
  uint64_t now_ns_ = 1'000'000;
  uint64_t samples_ = 0;
};

uint64_t number(const Sample &sample, std::string_view key) {
  for (const NamedValue &field : sample.fields) {
    if (field.column->key == key) return std::get<uint64_t>(field.value);
  }
  return UINT64_MAX;
}

bool is_sound(const Sample &sample) {
  const auto ordered = [](const Hop &a, const Hop &b) { return a.ts_ns < b.ts_ns; };
  if (sample.hops.empty() || !std::is_sorted(sample.hops.begin(), sample.hops.end(), ordered)) return false;
  if (sample.hops.front().ts_ns != sample.start_ns) return false;
  if (sample.outcome != &kCompleted) return true;
  return number(sample, "cache_bytes") + number(sample, "device_bytes") + number(sample, "others_bytes") +
             number(sample, "no_io_bytes") ==
         number(sample, "size_bytes");
}

// One read of page 0 at a time, by the hops that are fed; what was said of the last one.
struct One {
  ReadTracker tracker{[this](const Sample &sample) { last = sample; }};
  Sample last;
  uint64_t now_ns = 1000;

  void feed(uint32_t kind, follow_hop more = {}) {
    follow_start start = {.hop = more};
    start.hop.kind = kind;
    if (more.ts_ns == 0) start.hop.ts_ns = now_ns += 1000;
    start.hop.mapping = 1;
    start.hop.dev = 8 << 20;
    if (start.hop.hi == 0) start.hop.hi = kPage;
    if (kind == HOP_BIO) start.hop.sectors = static_cast<uint32_t>((start.hop.hi - start.hop.lo) / 512);
    tracker.on_record(&start, kind == HOP_ENTER ? sizeof(start) : sizeof(start.hop));
  }
  [[nodiscard]] std::vector<std::string> layers() const {
    std::vector<std::string> layers;
    for (const Hop &hop : last.hops) layers.push_back(std::string(hop.layer) + " " + hop.name);
    return layers;
  }
};
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a read ends once and its sources are its bytes, under random hops") {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::map<uint64_t, int> ended;
    INFO("seed " << seed);
    ReadTracker tracker([&](const Sample &sample) {
      ++ended[sample.id];
      REQUIRE(is_sound(sample));
    });
    Hops hops(seed);
    for (int i = 0; i < 300; ++i) {
      const follow_start record = hops.next();
      tracker.on_record(&record, record.hop.kind == HOP_ENTER ? sizeof(record) : sizeof(record.hop));
      REQUIRE(sum_of_outcomes(tracker.account()) == tracker.account().sampled);
    }
    const uint64_t unreported = seed % 3;
    tracker.end(hops.samples() + unreported, std::vector<Loss>{{"ring buffer full", seed % 5}});
    CHECK(tracker.idle());
    CHECK(ended.size() == hops.samples());
    for (const auto &[id, times] : ended) CHECK(times == 1);
    CHECK(tracker.account().sampled == hops.samples() + unreported);
    CHECK(sum_of_outcomes(tracker.account()) == tracker.account().sampled);
  }
}

TEST_CASE("a sleep belongs to what the read waits for, and the wake-up is what comes after the completion") {
  One one;
  one.feed(HOP_ENTER, {.id = 1});
  one.feed(HOP_BIO, {.id = 7, .parent = 1});
  one.feed(HOP_ISSUE, {.sectors = 8});
  one.feed(HOP_SLEEP, {.id = 1});
  one.feed(HOP_COMPLETE, {.sectors = 8});
  one.feed(HOP_RUN, {.id = 1});
  one.feed(HOP_LEAVE, {.id = 1, .result = kPage});
  CHECK(one.layers() == Lines{"syscall enter", "page cache queue bio", "block issue", "device sleep", "device complete",
                              "wake-up run", "syscall leave"});
  CHECK(number(one.last, "device_bytes") == kPage);
  CHECK(one.tracker.missed().count == 0);
}

TEST_CASE("somebody else's bio that was under way is named, with its age") {
  One one;
  one.feed(HOP_ENTER, {.id = 1});
  one.feed(HOP_BIO, {.ts_ns = 500, .id = 7, .hi = 4 * kPage, .tid = 9, .comm = "cat"});
  one.feed(HOP_SLEEP, {.id = 1});
  one.feed(HOP_COMPLETE, {.sectors = 32});
  one.feed(HOP_RUN, {.id = 1});
  one.feed(HOP_LEAVE, {.id = 1, .result = kPage});
  CHECK(one.layers() == Lines{"syscall enter", "locked page bio under way", "locked page sleep", "locked page complete",
                              "wake-up run", "syscall leave"});
  CHECK(number(one.last, "others_bytes") == kPage);
  CHECK(one.last.hops[1].ts_ns == one.last.start_ns);
  CHECK(std::get<uint64_t>(one.last.hops[1].fields.back().value) == 1500);
  CHECK(number(one.last, "ahead_bytes") == 0);
}

TEST_CASE("a bio of the read's own thread is its own, whoever found it first") {
  One one;
  one.feed(HOP_ENTER, {.id = 1, .tid = 9});
  one.feed(HOP_BIO, {.id = 7, .tid = 9, .comm = "cat"});
  one.feed(HOP_COMPLETE, {.sectors = 8});
  one.feed(HOP_LEAVE, {.id = 1, .result = kPage});
  CHECK(number(one.last, "device_bytes") == kPage);
}

TEST_CASE("a completion that nobody saw is counted, and the read had its bytes all the same") {
  One one;
  one.feed(HOP_ENTER, {.id = 1});
  one.feed(HOP_BIO, {.id = 7, .parent = 1});
  one.feed(HOP_LEAVE, {.id = 1, .result = kPage});
  CHECK(one.last.reason == "completion not seen");
  CHECK(one.tracker.missed().count == 1);
}

TEST_CASE("the rest of a page of 16 KiB is no readahead") {
  One one;
  one.feed(HOP_ENTER, {.id = 1, .sectors = 32});
  one.feed(HOP_ADD, {.id = 1, .hi = 4 * kPage, .result = 16 * kPage});
  one.feed(HOP_BIO, {.id = 7, .parent = 1, .hi = 4 * kPage});
  one.feed(HOP_COMPLETE, {.sectors = 32});
  one.feed(HOP_LEAVE, {.id = 1, .result = kPage});
  CHECK(number(one.last, "device_bytes") == kPage);
  CHECK(number(one.last, "ahead_bytes") == 0);
}

TEST_CASE("readahead may still be under way when the read returns") {
  One one;
  one.feed(HOP_ENTER, {.id = 1});
  one.feed(HOP_ADD, {.id = 1, .hi = 4 * kPage, .result = 16 * kPage});
  one.feed(HOP_BIO, {.id = 7, .parent = 1});
  one.feed(HOP_BIO, {.id = 8, .parent = 1, .lo = kPage, .hi = 4 * kPage, .sector = 8});
  one.feed(HOP_COMPLETE, {.sectors = 8});
  one.feed(HOP_LEAVE, {.id = 1, .result = kPage});
  CHECK(one.last.outcome == &kCompleted);
  CHECK(one.tracker.missed().count == 0);
  CHECK(number(one.last, "ahead_bytes") == 3 * kPage);
}

TEST_CASE("what aio reads with O_DIRECT ends with its bios") {
  One one;
  const uint32_t flags = CALL_DIRECT | CALL_ASYNC;
  one.feed(HOP_ENTER, {.id = 1, .flags = flags});
  one.feed(HOP_BIO, {.id = 7, .parent = 1, .flags = BIO_DIRECT});
  one.feed(HOP_LEAVE, {.id = 1, .result = -529, .flags = flags});
  CHECK(one.last.hops.empty());
  SECTION("read") {
    one.feed(HOP_COMPLETE, {.sectors = 8});
    CHECK(one.last.outcome == &kCompleted);
    CHECK(one.last.hops.back().background);
  }
  SECTION("failed") {
    one.feed(HOP_COMPLETE, {.result = -EIO, .sectors = 8});
    CHECK(one.last.outcome == &kFailed);
    CHECK(one.last.reason == "EIO");
  }
}

}  // namespace strata
