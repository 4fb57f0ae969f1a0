// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "outstanding.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>

#include "allocators.h"
#include "base/clock.h"
#include "base/outlet.h"
#include "bpf/hash_reader.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "memleak/memleak.h"

namespace strata {
namespace {

template <typename T>
T value_at(const std::byte *bytes) {
  T value;
  memcpy(&value, bytes, sizeof(value));
  return value;
}

// fn(key, value) of each element of a hash.
template <typename Key, typename Each, typename Fn>
void each_of(const Object &object, const char *map, const Fn &fn) {
  each_element(object.map_fd(map), sizeof(Key), sizeof(Each),
               [&](const std::byte *key, const std::byte *value) { fn(value_at<Key>(key), value_at<Each>(value)); });
}

// Of one reading.
class Leaks {
 public:
  explicit Leaks(const Values &values)
      : older_ns_(values.duration_ns("older")), sample_(values.number("sample")), now_(monotonic_ns()) {}

  void add(const leak_key &key, uint64_t bytes, uint64_t ts_ns) {
    const uint64_t age_ns = now_ - std::min(now_, ts_ns);
    if (age_ns < older_ns_) return;
    leak_count &sum = sums_[key];
    sum.bytes += bytes * sample_;
    sum.count += sample_;
    sum.age_ns = std::max<uint64_t>(sum.age_ns, age_ns);
  }

  void read(const Counters::Each &each) const {
    for (const auto &[key, sum] : sums_) each(&key, {sum.bytes, sum.count, sum.age_ns});
  }

 private:
  struct Less {
    bool operator()(const leak_key &a, const leak_key &b) const { return memcmp(&a, &b, sizeof(a)) < 0; }
  };
  uint64_t older_ns_, sample_, now_;
  std::map<leak_key, leak_count, Less> sums_;
};

}  // namespace

ReadCounters outstanding_blocks(const Values &values, const Object &object, const Allocators &allocators) {
  return [&](const Counters::Each &each) {
    std::map<uint32_t, uint64_t> began;
    each_of<uint32_t, uint64_t>(object, "began", [&](uint32_t tgid, uint64_t ts_ns) { began[tgid] = ts_ns; });
    Leaks leaks(values);
    each_of<block_key, block>(object, "blocks", [&](const block_key &at, const block &one) {
      const auto since = began.find(at.tgid);
      if (since != began.end() && one.ts_ns < since->second) return;
      leak_key key = {.stack = one.stack, .tgid = at.tgid, .zero = 0, .comm = {}};
      const std::string comm = allocators.comm(at.tgid);
      memcpy(key.comm, comm.data(), std::min(comm.size(), sizeof(key.comm) - 1));
      leaks.add(key, one.bytes, one.ts_ns);
    });
    leaks.read(each);
  };
}

ReadCounters outstanding_kernel_blocks(const Values &values, const Object &object) {
  return [&](const Counters::Each &each) {
    Leaks leaks(values);
    each_of<uint64_t, kernel_block>(object, "kernel_blocks", [&](uint64_t, const kernel_block &one) {
      leak_key key = {.stack = one.stack, .tgid = one.tgid, .zero = 0, .comm = {}};
      memcpy(key.comm, one.comm, sizeof(key.comm));
      leaks.add(key, one.bytes, one.ts_ns);
    });
    leaks.read(each);
  };
}

void say_unseen(const Object &object) {
  uint64_t unseen = 0;
  const uint32_t zero = 0;
  if (bpf_map_lookup_elem(object.map_fd("freed_unseen"), &zero, &unseen) != 0 || unseen == 0) return;
  say("freed: %llu blocks that were allocated before the run, or by other functions\n",
      static_cast<unsigned long long>(unseen));
}

}  // namespace strata
