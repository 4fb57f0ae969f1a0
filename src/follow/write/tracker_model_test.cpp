// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A page cache in miniature makes the hops: whole pages are written, written back, truncated and synced at random, and
// the chain must say of every sample what the model knows.
#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "base/test.h"
#include "follow/write/hops.h"
#include "follow/write/tracker.h"

namespace strata {
namespace {

constexpr uint64_t kPage = 4096, kPages = 24;
enum State { kWaiting, kQueued, kDone, kFailed, kTruncated };

class PageCache {
 public:
  PageCache(uint64_t seed, Tracker &tracker) : random_(seed), tracker_(tracker) {}

  void step() {
    const uint64_t dice = below(7), page = below(kPages), n = 1 + below(kPages - page);
    if (dice < 2) write(page, n);
    if (dice == 2) write_back(page, n);
    if (dice == 3) complete_one(below(8) != 0);
    if (dice == 4) truncate(page);
    if (dice == 5) sync();
    if (dice == 6) punch(page, n);
  }

  [[nodiscard]] uint64_t samples() const { return pages_of_.size(); }
  // What the sample should have become at the end of the run.
  [[nodiscard]] const Outcome *outcome(uint64_t sample) const {
    const auto any = [&](State state) {
      return std::ranges::any_of(pages_of_.at(sample), [&](const auto &page) { return page.second == state; });
    };
    if (any(kFailed)) return &strata::kFailed;
    if (any(kWaiting) || any(kQueued)) return &kNotWrittenBack;
    return any(kTruncated) ? &strata::kTruncated : &strata::kCompleted;
  }

 private:
  struct Bio {
    uint64_t page, n, sector;
  };

  uint64_t below(uint64_t n) { return random_() % n; }

  void feed(follow_kind kind, uint64_t page, uint64_t n, follow_hop more = {}) {
    follow_start record = {.hop = more};
    record.hop.kind = kind;
    record.hop.ts_ns = now_ns_ += 1000;
    record.hop.mapping = 1;
    record.hop.lo = page * kPage;
    record.hop.hi = (page + n) * kPage;
    tracker_.on_record(&record, kind == HOP_ENTER ? sizeof(record) : sizeof(record.hop));
  }

  void write(uint64_t page, uint64_t n) {
    const uint64_t sample = samples() + 1;
    feed(HOP_ENTER, page, n, {.id = sample});
    for (uint64_t i = page; i < page + n; ++i) {
      if (!std::exchange(dirty_[i], true)) feed(HOP_DIRTY, i, 1, {.id = sample});
      pages_of_[sample][i] = kWaiting;
    }
    feed(HOP_LEAVE, page, n, {.id = sample, .result = static_cast<int64_t>(n * kPage)});
    size_ = std::max(size_, page + n);
  }

  void become(uint64_t page, uint64_t n, State from, State to) {
    for (auto &[sample, pages] : pages_of_) {
      for (auto &[i, state] : pages) {
        if (i >= page && i < page + n && state == from) state = to;
      }
    }
  }

  // One bio for each run of dirty pages. A page under writeback is not written a second time before it is done.
  void write_back(uint64_t page, uint64_t n) {
    while (busy(page, n)) complete_one(true);
    for (uint64_t i = page; i < page + n; ++i) {
      uint64_t end = i;
      while (end < page + n && std::exchange(dirty_[end], false)) ++end;
      if (end > i) {
        bios_.push_back({.page = i, .n = end - i, .sector = sector_ += 1000});
        feed(HOP_BIO, i, end - i, hop_of(++tracks_, bios_.back(), 0, end - i));
        become(i, end - i, kWaiting, kQueued);
      }
      i = std::max(i, end);
    }
  }

  static follow_hop hop_of(uint64_t id, const Bio &bio, uint64_t from, uint64_t n, int64_t result = 0) {
    return {
        .id = id, .sector = bio.sector + from * 8, .result = result, .sectors = static_cast<uint32_t>(n * 8), .dev = 1};
  }

  // A request from the front or the back of a bio, or all of it.
  void complete_one(bool good) {
    if (bios_.empty()) return;
    Bio &bio = bios_[below(bios_.size())];
    const uint64_t n = 1 + below(bio.n), from = below(2) == 0 ? 0 : bio.n - n;
    feed(HOP_COMPLETE, 0, 0, hop_of(0, bio, from, n, good ? 0 : 10));
    become(bio.page + from, n, kQueued, good ? kDone : kFailed);
    bio = {.page = bio.page + (from == 0 ? n : 0), .n = bio.n - n, .sector = bio.sector + (from == 0 ? n * 8 : 0)};
    std::erase_if(bios_, [](const Bio &b) { return b.n == 0; });
    failed_ = failed_ || !good;
  }

  [[nodiscard]] bool busy(uint64_t page, uint64_t n) const {
    return std::ranges::any_of(bios_, [&](const Bio &b) { return b.page < page + n && page < b.page + b.n; });
  }

  void truncate(uint64_t size) {
    while (busy(size, kPages)) complete_one(true);
    for (uint64_t i = size; i < kPages; ++i) {
      if (std::exchange(dirty_[i], false)) feed(HOP_DROP, i, 1);
    }
    become(size, kPages, kWaiting, kTruncated);
    size_ = std::min(size_, size);
  }

  // Of a large folio, which stays.
  void punch(uint64_t page, uint64_t n) {
    while (busy(page, n)) complete_one(true);
    feed(HOP_FALLOCATE, page, n);
    become(page, n, kWaiting, kTruncated);
  }

  void sync() {
    follow_hop hop = {.tid = 7};
    feed(HOP_SYNC_ENTER, 0, kPages, hop);
    write_back(0, kPages);
    while (!bios_.empty()) complete_one(true);
    hop.result = std::exchange(failed_, false) ? -5 : 0;
    feed(HOP_SYNC_LEAVE, size_, 0, hop);
  }

  std::mt19937_64 random_;
  Tracker &tracker_;
  uint64_t now_ns_ = 1'000'000, sector_ = 0, tracks_ = 0, size_ = 0;
  bool dirty_[kPages] = {}, failed_ = false;
  std::vector<Bio> bios_;
  std::map<uint64_t, std::map<uint64_t, State>> pages_of_;  // of each sample
};

}  // namespace

TEST_CASE("a chain knows what became of every page of every sample") {
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    std::map<uint64_t, const Outcome *> outcomes;
    Tracker tracker(false, [&](const Sample &sample) { outcomes[sample.id] = sample.outcome; });
    PageCache cache(seed, tracker);
    for (uint64_t i = 0; i < 5 + seed % 60; ++i) cache.step();
    tracker.end(cache.samples(), {});
    REQUIRE(outcomes.size() == cache.samples());
    for (const auto &[sample, outcome] : outcomes) {
      INFO("seed " << seed << " sample " << sample);
      REQUIRE(outcome->name == cache.outcome(sample)->name);
    }
  }
}

}  // namespace strata
