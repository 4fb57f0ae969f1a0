// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a workload wrote and what must become of it: a small model of a page cache. Every write has the set of outcomes
// that are right for it; a set has more than one where the kernel may write at a time of its own choice.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

enum Outcome : unsigned { kCompleted = 1, kTruncated = 2, kPending = 4, kFailed = 8, kEmpty = 16 };

struct Write {
  std::string file, kind;
  uint64_t offset = 0, size = 0;
  unsigned expect = 0;  // Outcome bits; 0 while it is open
  bool cut = false;     // pages of it were truncated
  bool maybe = false;   // the kernel may have written it before
};

// All writes of the process, in order.
class Ledger {
 public:
  size_t add(Write write) {
    writes_.push_back(std::move(write));
    return writes_.size() - 1;
  }
  Write &at(size_t n) { return writes_[n]; }
  size_t size() const { return writes_.size(); }

  // A JSON line for each write.
  void print() const {
    for (size_t n = 0; n < writes_.size(); n++) {
      const Write &w = writes_[n];
      printf("{\"n\":%zu,\"file\":%s,\"offset_bytes\":%llu,\"size_bytes\":%llu,\"expect\":\"%s\",\"kind\":\"%s\"}\n",
             n + 1, quoted(w.file).c_str(), static_cast<unsigned long long>(w.offset),
             static_cast<unsigned long long>(w.size), names(w.expect).c_str(), w.kind.c_str());
    }
  }

 private:
  static std::string names(unsigned expect) {
    constexpr std::pair<Outcome, const char *> kNames[] = {{kCompleted, "completed"},
                                                           {kTruncated, "truncated"},
                                                           {kPending, "pending"},
                                                           {kFailed, "failed"},
                                                           {kEmpty, "empty"}};
    std::string text;
    for (const auto &[bit, name] : kNames) {
      if (expect & bit) text += (text.empty() ? "" : "|") + std::string(name);
    }
    return text;
  }
  static std::string quoted(const std::string &text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '\n') {
        out += "\\n";
        continue;
      }
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + '"';
  }

  std::vector<Write> writes_;
};

// One file's part of the model; all writes to the file must be told to it.
class FileModel {
 public:
  FileModel(Ledger &ledger, std::string path) : ledger_(ledger), path_(std::move(path)) {}

  // `result` is the system call's, `durable` if the bytes were on the device when it returned. A write that failed has
  // the size that was asked for.
  void wrote(const char *kind, uint64_t offset, uint64_t asked, int64_t result, bool durable) {
    Write write = {
        .file = path_, .kind = kind, .offset = offset, .size = result < 0 ? asked : static_cast<uint64_t>(result)};
    if (result <= 0 || durable) write.expect = result < 0 ? kFailed : result == 0 ? kEmpty : kCompleted;
    if (durable) may_be_written();  // a part of the file was flushed
    const size_t n = ledger_.add(std::move(write));
    if (ledger_.at(n).expect == 0) open_.push_back(n);
  }

  void synced() {
    for (const size_t n : std::exchange(open_, {})) settle(ledger_.at(n), kCompleted);
  }

  // A write that lost some of its pages is truncated once the others are on the device.
  void truncated(uint64_t size) {
    for (const size_t n : std::exchange(open_, {})) {
      cut(ledger_.at(n), size);
      if (ledger_.at(n).expect == 0) open_.push_back(n);
    }
    may_be_written();  // xfs writes what stays, to have no stale bytes below the new size
    flushed_at_close_ = true;
  }

  // By fallocate(). xfs, and ext4 before 6.14, write what is dirty there before they make the hole.
  void cut_out(uint64_t offset, uint64_t size) {
    for (const size_t n : open_) {
      Write &write = ledger_.at(n);
      if (write.offset < offset + size && offset < write.offset + write.size) write.cut = write.maybe = true;
    }
  }

  // Unlinked, and the last descriptor closed.
  void dropped() {
    if (flushed_at_close_) may_be_written();
    for (const size_t n : std::exchange(open_, {})) cut(ledger_.at(n), 0);
  }

  // The program ends.
  void left() {
    for (const size_t n : std::exchange(open_, {})) {
      Write &write = ledger_.at(n);
      settle(write, kPending | (write.cut ? kTruncated : kCompleted));
    }
  }

 private:
  void may_be_written() {
    for (const size_t n : open_) {
      if (!ledger_.at(n).cut) ledger_.at(n).maybe = true;
    }
  }
  static void cut(Write &write, uint64_t size) {
    if (write.offset + write.size > size) write.cut = true;
    if (write.offset >= size) settle(write, kTruncated);
  }
  static void settle(Write &write, unsigned expect) {
    if (write.cut && expect == kCompleted) expect = kTruncated;
    write.expect = expect | (write.maybe ? kCompleted : 0u);
  }

  Ledger &ledger_;
  std::string path_;
  std::vector<size_t> open_;       // written, and not known to be on the device
  bool flushed_at_close_ = false;  // ext4 and xfs flush a file that was truncated when it is closed
};

inline bool is_prime(uint64_t n) {
  for (uint64_t d = 2; d * d <= n; d++) {
    if (n % d == 0) return false;
  }
  return n > 1;
}
