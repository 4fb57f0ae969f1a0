// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/hash_reader.h"

#include <bpf/bpf.h>

#include <cerrno>
#include <vector>

#include "base/error.h"

namespace strata {

// Whole buckets come at a time: where one has more elements than there is room for, ENOSPC, there must be more room.
void each_element(int map, uint32_t key_bytes, size_t value_bytes,
                  const std::function<void(const std::byte *key, const std::byte *value)> &fn) {
  std::vector<std::byte> keys, values;
  uint32_t room = 256, position = 0;
  bool first = true;
  for (int err = 0; err != -ENOENT;) {
    uint32_t count = room, next = 0;
    keys.resize(size_t{room} * key_bytes);
    values.resize(room * value_bytes);
    err = bpf_map_lookup_batch(map, first ? nullptr : &position, &next, keys.data(), values.data(), &count, nullptr);
    if (err == -ENOSPC) {
      room *= 2;
      continue;
    }
    if (err != 0 && err != -ENOENT) throw system_error("cannot read the counters", -err);
    for (size_t i = 0; i < count; i++) fn(keys.data() + i * key_bytes, values.data() + i * value_bytes);
    position = next;
    first = false;
  }
}

}  // namespace strata
