// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Counters that a BPF program only ever adds to, in a map of any type (bpf/lib/core/table.h, bpf/lib/core/hist.h): read
// as differences, so that nothing is lost between two readings. A hash that is nearly full loses the keys that were
// idle for some readings, so that new ones find room: whoever can make keys (names by prctl(2)) could else hide all
// that come later. Rejected: deleting at each reading, which loses what comes between; per-CPU hashes, for their
// memory; LRU hashes, which drop what is counted without a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct hist_block;

namespace strata {

class Object;

class Counters {
 public:
  // fn(key, what was added to each counter of the value since the last take()), for keys where anything was
  using Each = std::function<void(const void *key, const std::vector<uint64_t> &added)>;

  // After load(). Values are arrays of 64-bit counters. `last_is_max`: the last of them is no counter but the greatest
  // number so far; of those of several CPUs the greatest, and take() gives it as it is. `shards`: so many of them in an
  // element of the map, to be summed. `cache`: an array by bpf/lib/core/key_cache.h, whose counters are added to those
  // of the map. `others`: a hash that is full counts under others_key(), here and in take(). Of a HIST_BY in an object
  // with the groups of bpf/lib/core/hist_groups.h those are added, too.
  Counters(const Object &object, std::string_view map, size_t shards = 1, std::string_view cache = {},
           bool others = false, bool last_is_max = false);
  static std::string others_key(size_t bytes) { return std::string(bytes, '\xff'); }
  // unchanged: keys where nothing was added, too. Throws Error; and std::bad_alloc, the last time, after fn was called
  // for what there was memory for.
  void take(const Each &fn, bool unchanged = false);
  // What the next take() would have by now: so many keys, and the sum of what was added to their first counters.
  struct Pending {
    uint64_t keys = 0, added = 0;
  };
  [[nodiscard]] Pending pending();

 private:
  struct Sum {
    std::vector<uint64_t> before, now;
    uint32_t idle = 0;  // readings in which nothing was added
  };
  void reserve_others();  // throws Error
  bool read();
  void each_added(const Each &fn, bool unchanged, bool whole);
  void evict_idle();
  void read_array();
  void read_hash();
  void read_cache();
  void read_blocks();
  void add_block(const hist_block &block);
  const std::string &group_key(uint32_t number);
  void add(std::string_view key, const std::byte *value, size_t copies);
  [[nodiscard]] bool is_max(size_t i) const { return last_is_max_ && i + 1 == value_bytes_ / 8; }

  int fd_, cache_fd_ = -1;
  int groups_fd_ = -1, blocks_fd_ = -1;
  uint32_t key_bytes_, value_bytes_, entries_;  // value_bytes_: of one CPU
  size_t copies_;                               // of a value: one, one for each CPU, or shards
  bool array_, last_is_max_;
  std::unordered_map<std::string, Sum> sums_;
  std::unordered_map<uint32_t, std::string> group_keys_;  // by number: they do not change
};

}  // namespace strata
