// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whatever hops come: nothing crashes, every sample ends once, its layers are the call, and the account adds up. What
// is right for which hops of a kernel is in tests/follow.
#include "follow/fsync/tracker.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <random>

#include "base/test.h"
#include "follow/test.h"

namespace strata {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint32_t kFs = 8 << 20 | 1, kDisk = 8 << 20;
constexpr uint32_t kWriteSyncMeta = 1 | 1 << 11 | 1 << 12, kFlushRequest = 2;

class Hops {
 public:
  explicit Hops(uint64_t seed) : random_(seed) {}

  follow_start next() {
    constexpr uint32_t kKinds[] = {HOP_ENTER,        HOP_LEAVE,        HOP_ABANDONED,  HOP_BIO,        HOP_BIO,
                                   HOP_REMAP,        HOP_GETRQ,        HOP_ISSUE,      HOP_COMPLETE,   HOP_BIO_COMPLETE,
                                   HOP_COMMIT_START, HOP_COMMIT_FLUSH, HOP_COMMIT_LOG, HOP_COMMIT_END, HOP_COMMIT_WAIT,
                                   HOP_SLEEP,        HOP_RUN,          HOP_FILE};
    follow_start start = {.fs_dev = kFs};
    follow_hop &hop = start.hop;
    hop.kind = kKinds[below(std::size(kKinds))];
    hop.ts_ns = now_ns_ += below(1000);
    hop.mapping = below(3);
    hop.lo = below(8) * kPage;
    hop.id = 1 + below(samples_ + 3);
    hop.parent = kFs + below(2);
    hop.dev = kDisk + below(2);
    hop.sector = hop.lo / 512;
    hop.sectors = below(5) * 8;
    hop.hi = hop.lo + hop.sectors * 512;
    hop.tid = 1 + below(4);
    hop.flags = below(8) << 13;
    hop.opf = below(3);
    if (hop.kind == HOP_ENTER) hop.id = ++samples_;
    if (below(4) == 0) hop.ts_ns -= std::min<uint64_t>(hop.ts_ns - 1'000'000, 5000);
    hop.result = below(4) == 0 ? -EIO : 0;
    return start;
  }
  [[nodiscard]] uint64_t samples() const { return samples_; }

 private:
  uint32_t below(uint64_t n) { return static_cast<uint32_t>(random_() % n); }

  std::mt19937_64 random_;
  uint64_t now_ns_ = 1'000'000;
  uint64_t samples_ = 0;
};

const Value &field(const Sample &sample, std::string_view key) {
  const auto is = [&](const NamedValue &value) { return value.column->key == key; };
  return std::find_if(sample.fields.begin(), sample.fields.end(), is)->value;
}
uint64_t number(const Sample &sample, std::string_view key) { return std::get<uint64_t>(field(sample, key)); }
std::string waits(const Sample &sample) { return std::get<std::string>(field(sample, "waits")); }

uint64_t sum_of_layers(const Sample &sample) {
  uint64_t ns = 0;
  for (const char *key :
       {"syscall_ns", "own_ns", "under_way_ns", "ordered_ns", "journal_ns", "flush_ns", "wakeup_ns", "other_ns"})
    ns += number(sample, key);
  return ns;
}

// One fsync by thread 1 of the file 1 at a time, by the hops that are fed, each 1 us after the other.
struct One {
  FsyncTracker tracker{[this](const Sample &sample) { last = sample; }};
  Sample last;
  uint64_t now_ns = 1000;

  void feed(uint32_t kind, follow_hop more = {}) {
    follow_start start = {.hop = more, .fs_dev = kFs};
    start.hop.kind = kind;
    if (more.ts_ns == 0) start.hop.ts_ns = now_ns += 1000;
    start.hop.dev = kDisk;
    if (kind >= HOP_COMMIT_START && kind <= HOP_COMMIT_WAIT) start.hop.parent = kFs;
    const bool sampled = kind == HOP_ENTER || kind == HOP_LEAVE || kind == HOP_SLEEP || kind == HOP_RUN;
    if (sampled) start.hop.id = start.hop.mapping = start.hop.tid = 1;
    if (kind == HOP_BIO && start.hop.hi == 0 && start.hop.sectors != 0) start.hop.hi = start.hop.sectors * 512;
    tracker.on_record(&start, kind == HOP_ENTER || kind == HOP_FILE ? sizeof(start) : sizeof(start.hop));
  }
  [[nodiscard]] std::vector<std::string> layers() const {
    std::vector<std::string> layers;
    for (const Hop &hop : last.hops) layers.push_back(std::string(hop.layer) + " " + hop.name);
    return layers;
  }
};
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an fsync ends once and its layers are the call, under random hops") {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::map<uint64_t, int> ended;
    INFO("seed " << seed);
    FsyncTracker tracker([&](const Sample &sample) {
      ++ended[sample.id];
      REQUIRE(!sample.hops.empty());
      if (sample.outcome == &kCompleted) REQUIRE(sum_of_layers(sample) == sample.total_ns);
    });
    Hops hops(seed);
    for (int i = 0; i < 300; ++i) {
      const follow_start record = hops.next();
      const bool starts = record.hop.kind == HOP_ENTER || record.hop.kind == HOP_FILE;
      tracker.on_record(&record, starts ? sizeof(record) : sizeof(record.hop));
      REQUIRE(sum_of_outcomes(tracker.account()) == tracker.account().sampled);
    }
    const uint64_t unreported = seed % 3;
    tracker.end(hops.samples() + unreported, std::vector<Loss>{{"ring buffer full", seed % 5}});
    CHECK(tracker.idle());
    CHECK(ended.size() == hops.samples());
    for (const auto &[id, times] : ended) CHECK(times == 1);
    CHECK(sum_of_outcomes(tracker.account()) == tracker.account().sampled);
  }
}

TEST_CASE("a sleep for its own data is block until it is issued, then device") {
  One one;
  one.feed(HOP_ENTER);
  one.feed(HOP_BIO, {.id = 7, .mapping = 1, .sectors = 16, .tid = 1});
  one.feed(HOP_SLEEP);
  one.feed(HOP_ISSUE, {.sectors = 16});
  one.feed(HOP_COMPLETE, {.sectors = 16});
  one.feed(HOP_RUN);
  one.feed(HOP_LEAVE);
  CHECK(one.layers() == Lines{"syscall enter", "syscall queue bio", "syscall sleep", "block issue", "device complete",
                              "wake-up run", "syscall leave"});
  CHECK(waits(one.last) == "8KiB of its own");
  CHECK(number(one.last, "own_ns") == 2000);
  CHECK(one.tracker.missed().count == 0);
}

TEST_CASE("what a commit writes and waits for is told apart: others' data, the journal, the flush before the record") {
  One one;
  one.feed(HOP_ENTER);
  one.feed(HOP_SLEEP);
  one.feed(HOP_COMMIT_START, {.id = 5, .tid = 9, .comm = "jbd2"});
  one.feed(HOP_BIO, {.id = 7, .mapping = 2, .sectors = 8, .tid = 9, .comm = "jbd2"});
  one.feed(HOP_BIO, {.id = 8, .sector = 100, .sectors = 16, .flags = BIO_META, .tid = 9, .comm = "jbd2"});
  one.feed(HOP_COMPLETE, {.sector = 100, .sectors = 16});
  one.feed(HOP_COMPLETE, {.sectors = 8});
  one.feed(HOP_COMMIT_WAIT, {.mapping = 2, .tid = 9});
  one.feed(HOP_BIO, {.id = 9, .sector = 200, .sectors = 8, .flags = BIO_META | BIO_FLUSH, .tid = 9, .comm = "jbd2"});
  one.feed(HOP_ISSUE, {.opf = kFlushRequest});
  one.feed(HOP_COMPLETE, {.opf = kFlushRequest});
  one.feed(HOP_ISSUE, {.sector = 200, .sectors = 8});
  one.feed(HOP_COMPLETE, {.sector = 200, .sectors = 8});
  one.feed(HOP_COMMIT_END, {.id = 5, .tid = 9});
  one.feed(HOP_RUN);
  one.feed(HOP_LEAVE);
  CHECK(one.layers() == Lines{"syscall enter", "syscall sleep", "journal start commit", "journal queue bio",
                              "ordered queue bio", "ordered complete", "ordered complete", "journal wait for data",
                              "ordered queue bio", "flush issue", "flush complete", "flush issue", "journal complete",
                              "journal end commit", "wake-up run", "syscall leave"});
  CHECK(number(one.last, "ordered_bytes") == kPage);
  CHECK(number(one.last, "journal_bytes") == 3 * kPage);
  CHECK(number(one.last, "flushes") == 1);
  CHECK(sum_of_layers(one.last) == one.last.total_ns);
}

TEST_CASE("a commit that nobody waits for is not told") {
  One one;
  one.feed(HOP_ENTER);
  one.feed(HOP_BIO, {.id = 7, .mapping = 1, .sectors = 8, .tid = 1});
  one.feed(HOP_SLEEP);
  one.feed(HOP_COMMIT_START, {.id = 5, .tid = 9});
  one.feed(HOP_BIO, {.id = 8, .sector = 100, .sectors = 16, .flags = BIO_META, .tid = 9});
  one.feed(HOP_COMPLETE, {.sectors = 8});
  one.feed(HOP_RUN);
  one.feed(HOP_LEAVE);
  CHECK(one.layers() ==
        Lines{"syscall enter", "syscall queue bio", "syscall sleep", "block complete", "wake-up run", "syscall leave"});
  CHECK(number(one.last, "journal_bytes") == 0);
  CHECK(number(one.last, "own_ns") + number(one.last, "wakeup_ns") == 4000);
}

TEST_CASE("what others had under way of its file is named") {
  One one;
  one.feed(HOP_ENTER);
  one.feed(HOP_BIO, {.ts_ns = 500, .id = 7, .mapping = 1, .sectors = 32, .tid = 9, .comm = "kworker/0:1"});
  one.feed(HOP_SLEEP);
  one.feed(HOP_COMPLETE, {.sectors = 32});
  one.feed(HOP_RUN);
  one.feed(HOP_LEAVE);
  CHECK(one.layers() == Lines{"syscall enter", "syscall bio under way", "syscall sleep", "others' I/O complete",
                              "wake-up run", "syscall leave"});
  CHECK(waits(one.last) == "16KiB written by kworker/0:1/9");
  CHECK(number(one.last, "own_bytes") == 0);
}

TEST_CASE("without a journal that is known, metadata that somebody waits for on its disk are the journal's") {
  One one;
  one.feed(HOP_ENTER);
  one.feed(HOP_SLEEP);
  one.feed(HOP_BIO, {.id = 8, .sectors = 8, .opf = kWriteSyncMeta, .flags = BIO_META | BIO_FUA, .tid = 9, .comm = "k"});
  one.feed(HOP_BIO, {.id = 9, .sector = 99, .sectors = 8, .tid = 9, .comm = "k"});  // no metadata
  one.feed(HOP_COMPLETE, {.sectors = 8});
  one.feed(HOP_RUN);
  one.feed(HOP_LEAVE);
  CHECK(waits(one.last) == "4KiB journal by k/9");
}

TEST_CASE("a sleep for what is not known is other wait") {
  One one;
  one.feed(HOP_ENTER);
  one.feed(HOP_SLEEP);
  one.feed(HOP_RUN);
  one.feed(HOP_LEAVE);
  CHECK(one.layers() == Lines{"syscall enter", "syscall sleep", "other wait run", "syscall leave"});
  CHECK(waits(one.last) == "nothing to write");
}

TEST_CASE("of its own a completion that nobody saw is counted, and the data are durable all the same") {
  One one;
  one.feed(HOP_ENTER);
  one.feed(HOP_BIO, {.id = 7, .mapping = 1, .sectors = 8, .tid = 1});
  SECTION("success") {
    one.feed(HOP_LEAVE);
    CHECK(one.last.outcome == &kCompleted);
    CHECK(one.last.reason == "completion not seen");
    CHECK(one.tracker.missed().count == 1);
  }
  SECTION("error") {
    one.feed(HOP_LEAVE, {.result = -EIO});
    CHECK(one.last.outcome == &kFailed);
    CHECK(one.last.reason == "EIO");
  }
}

}  // namespace strata
