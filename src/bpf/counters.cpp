// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/counters.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>

#include "base/error.h"
#include "bpf/hash_reader.h"
#include "bpf/object.h"
#include "lib/core/hist_groups_wire.h"

namespace strata {
namespace {

constexpr uint32_t kIdleReadings = 3;

bool is_array(bpf_map_type type) { return type == BPF_MAP_TYPE_ARRAY || type == BPF_MAP_TYPE_PERCPU_ARRAY; }
bool is_per_cpu(bpf_map_type type) { return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY; }

}  // namespace

Counters::Counters(const Object &object, std::string_view name, size_t shards, std::string_view cache, bool others,
                   bool last_is_max)
    : last_is_max_(last_is_max) {
  const bpf_map *map = object.map(name);
  fd_ = bpf_map__fd(map);
  if (!cache.empty()) cache_fd_ = object.map_fd(cache);
  key_bytes_ = bpf_map__key_size(map);
  value_bytes_ = static_cast<uint32_t>((bpf_map__value_size(map) + 7) / 8 * 8 / shards);
  entries_ = bpf_map__max_entries(map);
  copies_ = is_per_cpu(bpf_map__type(map)) ? static_cast<size_t>(libbpf_num_possible_cpus()) : shards;
  array_ = is_array(bpf_map__type(map));
  if (others && !array_) reserve_others();
  const bpf_map *groups = bpf_object__find_map_by_name(object.get(), "hist_groups");
  if (array_ || !groups) return;
  groups_fd_ = bpf_map__fd(groups);
  blocks_fd_ = object.map_fd("hist_blocks");
}

void Counters::reserve_others() {
  const std::vector<std::byte> zero(value_bytes_ * copies_);
  if (bpf_map_update_elem(fd_, others_key(key_bytes_).data(), zero.data(), BPF_NOEXIST) != 0)
    throw system_error("cannot prepare the counters");
}

// False: not all of it, for want of memory.
bool Counters::read() {
  try {
    array_ ? read_array() : read_hash();
    if (cache_fd_ >= 0) read_cache();
    if (blocks_fd_ >= 0) read_blocks();
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

void Counters::take(const Each &fn, bool unchanged) {
  bool whole = read();
  try {
    each_added(fn, unchanged, whole);
  } catch (const std::bad_alloc &) {
    whole = false;
  }
  if (!whole) {
    sums_.clear();  // who shows what fn was called for needs memory
    throw std::bad_alloc();
  }
  if (!array_ && copies_ == 1 && !unchanged && sums_.size() > entries_ / 4 * 3) evict_idle();
}

Counters::Pending Counters::pending() {
  Pending pending;
  read();  // if that is not whole, so is this; take() comes to its own end
  for (auto &[key, sum] : sums_) {
    const uint64_t added = sum.now[0] - std::min(sum.now[0], sum.before[0]);
    pending.keys += sum.now != sum.before ? 1 : 0;
    pending.added += added;
    std::fill(sum.now.begin(), sum.now.end(), 0);
  }
  return pending;
}

// Of a reading that is not whole the elements are not needed again, and what is missing would be less than before.
void Counters::each_added(const Each &fn, bool unchanged, bool whole) {
  std::vector<uint64_t> added(value_bytes_ / 8);
  for (auto it = sums_.begin(); it != sums_.end(); it = whole ? std::next(it) : sums_.erase(it)) {
    auto &[key, sum] = *it;
    bool any = unchanged;
    // A sum and a maximum are there before their count (bpf/lib/core/hist.h): they go with it, in the next reading.
    if (last_is_max_ && sum.now[0] == sum.before[0]) sum.now = sum.before;
    for (size_t i = 0; i < added.size(); i++) {
      added[i] = whole || sum.now[i] > sum.before[i] ? sum.now[i] - sum.before[i] : 0;
      any |= added[i] != 0;
      if (is_max(i)) added[i] = sum.now[i];
    }
    sum.before = sum.now;
    std::fill(sum.now.begin(), sum.now.end(), 0);
    sum.idle = any ? 0 : sum.idle + 1;
    if (any) fn(key.data(), added);
  }
}

// What a program added since the reading is in the element that is deleted: it counts in the next reading. 5.10 cannot
// look up and delete in one step.
void Counters::evict_idle() {
  std::vector<uint64_t> value(value_bytes_ / 8);
  const std::string others = others_key(key_bytes_);
  for (auto it = sums_.begin(), next = it; it != sums_.end(); it = next) {
    next = std::next(it);
    auto &[key, sum] = *it;
    if (sum.idle < kIdleReadings || key == others) continue;
    if (bpf_map_lookup_and_delete_elem(fd_, key.data(), value.data()) != 0) {
      if (bpf_map_lookup_elem(fd_, key.data(), value.data()) != 0) {
        sum.idle = 0;  // in the cache alone: not to be asked for at each reading
        continue;
      }
      bpf_map_delete_elem(fd_, key.data());
    }
    bool empty = true;
    for (size_t i = 0; i < value.size(); i++) {
      if (is_max(i))
        sum.now[i] = value[i];
      else
        empty = (sum.before[i] -= value[i]) == 0 && empty;
    }
    if (empty) sums_.erase(it);
  }
}

void Counters::add(std::string_view key, const std::byte *value, size_t copies) {
  const std::vector<uint64_t> none(value_bytes_ / 8);
  std::vector<uint64_t> &now = sums_.try_emplace(std::string(key), Sum{none, none}).first->second.now;
  for (size_t copy = 0; copy < copies; copy++)
    for (size_t i = 0; i < now.size(); i++) {
      uint64_t part = 0;
      memcpy(&part, value + copy * value_bytes_ + i * 8, sizeof(part));
      now[i] = is_max(i) ? std::max(now[i], part) : now[i] + part;
    }
}

void Counters::read_array() {
  std::vector<std::byte> value(value_bytes_ * copies_);
  for (uint32_t key = 0; key < entries_; key++) {
    if (bpf_map_lookup_elem(fd_, &key, value.data()) != 0) throw system_error("cannot read the counters");
    add({reinterpret_cast<const char *>(&key), sizeof(key)}, value.data(), copies_);
  }
}

void Counters::read_hash() {
  each_element(fd_, key_bytes_, value_bytes_ * copies_, [this](const std::byte *key, const std::byte *value) {
    add({reinterpret_cast<const char *>(key), key_bytes_}, value, copies_);
  });
}

// An element is { __u32 reservations, mark; KEY; VALUE }; one that no key has is all zeros.
void Counters::read_cache() {
  constexpr uint32_t kRoom = 1024;
  const size_t value_at = 2 * sizeof(uint32_t) + key_bytes_, step = value_at + value_bytes_;
  std::vector<uint32_t> places(kRoom);
  std::vector<std::byte> entries(kRoom * step);
  uint32_t position = 0;
  int err = 0;
  for (bool first = true; err != -ENOENT; first = false) {
    uint32_t count = kRoom, next = 0;
    err = bpf_map_lookup_batch(cache_fd_, first ? nullptr : &position, &next, places.data(), entries.data(), &count,
                               nullptr);
    if (err != 0 && err != -ENOENT) throw system_error("cannot read the counters", -err);
    for (uint32_t i = 0; i < count; i++) {
      const std::byte *entry = entries.data() + i * step;
      uint32_t mark = 0;
      memcpy(&mark, entry + sizeof(mark), sizeof(mark));
      if (mark != 0) add({reinterpret_cast<const char *>(entry) + 2 * sizeof(mark), key_bytes_}, entry + value_at, 1);
    }
    position = next;
  }
}

const std::string &Counters::group_key(uint32_t number) {
  std::string &key = group_keys_[number];
  if (!key.empty()) return key;
  hist_group group = {};
  if (bpf_map_lookup_elem(groups_fd_, &number, &group) != 0) throw system_error("cannot read the counters");
  return key = std::string(reinterpret_cast<const char *>(group.key), key_bytes_);
}

void Counters::add_block(const hist_block &block) {
  std::string key = group_key(block.group);
  for (uint32_t i = 0; i < HIST_BLOCK_SLOTS; i++) {
    if (block.slots[i].count == 0) continue;
    const uint32_t slot = block.slot + i;
    memcpy(key.data() + key.size() - sizeof(slot), &slot, sizeof(slot));
    add(key, reinterpret_cast<const std::byte *>(&block.slots[i]), 1);
  }
}

// Blocks are taken in the order of their numbers, from 1 on; few are taken and not yet used.
void Counters::read_blocks() {
  constexpr uint32_t kStep = 256;
  std::vector<uint32_t> numbers(kStep);
  std::vector<hist_block> blocks(kStep);
  bool used = true;
  for (uint32_t first = 0, position = 0, next = 0; used && first < HIST_BLOCKS; first += kStep, position = next) {
    uint32_t count = kStep;
    const int err = bpf_map_lookup_batch(blocks_fd_, first == 0 ? nullptr : &position, &next, numbers.data(),
                                         blocks.data(), &count, nullptr);
    if (err != 0 && err != -ENOENT) throw system_error("cannot read the counters", -err);
    used = false;
    for (uint32_t i = 0; i < count; i++) {
      if (blocks[i].group == 0) continue;
      used = true;
      add_block(blocks[i]);
    }
  }
}

}  // namespace strata
