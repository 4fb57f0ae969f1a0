// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What was lost, as the programs, the kernel and strata itself have counted it.
#include <bpf/bpf.h>

#include <algorithm>
#include <map>

#include "bpf/object.h"
#include "lib/core/loss.h"

namespace strata {
namespace {

std::string_view library_reason(uint32_t loss) {
  switch (loss) {
    case LOSS_RING_FULL:
      return "ring buffer full";
    case LOSS_TREE_FULL:
      return "too many child processes";
    case LOSS_TABLE_FULL:
      return "too many different keys";
    case LOSS_START:
      return "overwritten by another task before its end";
    default:
      return "other";
  }
}

// Four times the ring that was full, and on a small host at once what costs it little.
std::string larger_ring(const bpf_map *events) {
  constexpr uint64_t kLeast = 16 << 20, kMost = 1 << 30;
  const uint64_t bytes = bpf_map__max_entries(events);
  return bytes == kMost ? "" : "try --buffer " + std::to_string(std::clamp(4 * bytes, kLeast, kMost) >> 20) + "M";
}

}  // namespace

void Object::add_skipped(std::vector<Loss> &losses) const {
  std::map<std::string_view, uint64_t> skipped;
  for (const Slot &slot : slots_) {
    int fd = slot.taken ? bpf_program__fd(slot.program) : -1;
    bpf_prog_info info = {};
    uint32_t size = sizeof(info);
    if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) != 0 || info.recursion_misses == 0) continue;
    skipped[hook_of(slot.hook).skipped] += info.recursion_misses;
  }
  for (const auto &[reason, count] : skipped) losses.push_back({.reason = std::string(reason), .count = count});
}

RunTime Object::run_time() const {
  RunTime sum;
  for (const Slot &slot : slots_) {
    if (!slot.taken) continue;
    const RunTime time = run_time_of(bpf_program__fd(slot.program));
    sum.ns += time.ns;
    sum.runs += time.runs;
  }
  return sum;
}

std::vector<Loss> Object::losses(std::span<const std::string_view> reasons) const {
  std::vector<Loss> result;
  bpf_map *counters = bpf_object__find_map_by_name(object_, "losses");
  std::vector<uint64_t> per_cpu(static_cast<size_t>(std::max(1, libbpf_num_possible_cpus())));
  for (uint32_t loss = 0; counters && loss < LOSS_MAX; ++loss) {
    if (bpf_map_lookup_elem(bpf_map__fd(counters), &loss, per_cpu.data()) != 0) continue;
    uint64_t count = own_losses_[loss];
    for (uint64_t one : per_cpu) count += one;
    if (count == 0) continue;
    bool own = loss >= LOSS_TOOL && loss - LOSS_TOOL < reasons.size();
    result.push_back({.reason = std::string(own ? reasons[loss - LOSS_TOOL] : library_reason(loss)),
                      .count = count,
                      .advice = loss == LOSS_RING_FULL ? larger_ring(map("events")) : ""});
  }
  add_skipped(result);
  return result;
}

}  // namespace strata
