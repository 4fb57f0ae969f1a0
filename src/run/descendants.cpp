// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/descendants.h"

#include <map>
#include <set>
#include <string>

#include "base/lines.h"
#include "kern/proc.h"
#include "sym/mapped.h"

namespace strata {

std::vector<uint32_t> with_descendants(std::span<const uint32_t> roots) {
  std::multimap<uint32_t, uint32_t> children;
  for (const uint32_t tgid : all_processes()) {
    Lines status("/proc/" + std::to_string(tgid) + "/status");
    children.emplace(parent_process(status), tgid);
  }
  std::vector<uint32_t> found;
  std::set<uint32_t> known;
  const auto add = [&](uint32_t tgid) {
    if (known.insert(tgid).second) found.push_back(tgid);
  };
  for (const uint32_t root : roots) add(root);
  for (size_t i = 0; i < found.size(); i++) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; child++) add(child->second);
  }
  return found;
}

}  // namespace strata
