#include "bpf/counters.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "bpf/object.h"

namespace strata {
namespace {

bool is_array(bpf_map_type type) { return type == BPF_MAP_TYPE_ARRAY || type == BPF_MAP_TYPE_PERCPU_ARRAY; }
bool is_per_cpu(bpf_map_type type) { return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY; }

}  // namespace

Counters::Counters(const Object &object, std::string_view name, size_t shards) {
  const bpf_map *map = object.map(name);
  fd_ = bpf_map__fd(map);
  key_bytes_ = bpf_map__key_size(map);
  value_bytes_ = static_cast<uint32_t>((bpf_map__value_size(map) + 7) / 8 * 8 / shards);
  entries_ = bpf_map__max_entries(map);
  copies_ = is_per_cpu(bpf_map__type(map)) ? static_cast<size_t>(libbpf_num_possible_cpus()) : shards;
  array_ = is_array(bpf_map__type(map));
}

void Counters::take(const Each &fn, bool unchanged) {
  unchanged_ = unchanged;
  array_ ? take_array(fn) : take_hash(fn);
}

void Counters::take_one(std::string_view key, const std::byte *value, const Each &fn) {
  std::vector<uint64_t> &before = before_.try_emplace(std::string(key), value_bytes_ / 8).first->second;
  std::vector<uint64_t> added(before.size());
  bool any = false;
  for (size_t i = 0; i < before.size(); i++) {
    uint64_t now = 0;
    for (size_t copy = 0; copy < copies_; copy++) {
      uint64_t part = 0;
      memcpy(&part, value + copy * value_bytes_ + i * 8, sizeof(part));
      now += part;
    }
    added[i] = now - before[i];
    before[i] = now;
    any |= added[i] != 0;
  }
  if (any || unchanged_) fn(key.data(), added);
}

void Counters::take_array(const Each &fn) {
  std::vector<std::byte> value(value_bytes_ * copies_);
  for (uint32_t key = 0; key < entries_; key++) {
    if (bpf_map_lookup_elem(fd_, &key, value.data()) != 0) throw system_error("cannot read the counters");
    take_one({reinterpret_cast<const char *>(&key), sizeof(key)}, value.data(), fn);
  }
}

// Whole buckets come at a time: where one has more elements than there is room for, ENOSPC, there must be more room.
void Counters::take_hash(const Each &fn) {
  const size_t step = value_bytes_ * copies_;
  std::vector<std::byte> keys, values;
  uint32_t room = 256, position = 0;
  bool first = true;
  for (int err = 0; err != -ENOENT;) {
    uint32_t count = room, next = 0;
    keys.resize(size_t{room} * key_bytes_);
    values.resize(room * step);
    err = bpf_map_lookup_batch(fd_, first ? nullptr : &position, &next, keys.data(), values.data(), &count, nullptr);
    if (err == -ENOSPC) {
      room *= 2;
      continue;
    }
    if (err != 0 && err != -ENOENT) throw system_error("cannot read the counters", -err);
    for (uint32_t i = 0; i < count; i++)
      take_one({reinterpret_cast<const char *>(keys.data()) + i * key_bytes_, key_bytes_}, values.data() + i * step,
               fn);
    position = next;
    first = false;
  }
}

}  // namespace strata
