// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/stack_changes.h"

#include <algorithm>
#include <cmath>

namespace strata {
namespace {

void add(StackTree::Weights &to, const StackTree::Weights &weights) {
  for (size_t run = 0; run < to.size(); run++) to[run] += weights[run];
}

std::vector<StackChange> ranked(std::vector<StackChange> all, const StackTree &tree, bool raw) {
  const auto a = static_cast<double>(tree.total()[0]), b = raw ? a : static_cast<double>(tree.total()[1]);
  const auto change = [&](const StackTree::Weights &weights) {
    return static_cast<double>(weights[1]) / b - static_cast<double>(weights[0]) / a;
  };
  for (StackChange &one : all) {
    one.before = static_cast<double>(one.self[0]) / a;
    one.after = static_cast<double>(one.self[1]) / b;
    one.change = change(one.self);
    one.total_change = change(one.total);
  }
  std::erase_if(all, [](const StackChange &one) { return one.change == 0 && one.total_change == 0; });
  std::sort(all.begin(), all.end(), [](const StackChange &one, const StackChange &other) {
    const double by[] = {std::abs(one.change), std::abs(one.total_change)};
    const double to[] = {std::abs(other.change), std::abs(other.total_change)};
    return by[0] != to[0] ? by[0] > to[0] : by[1] != to[1] ? by[1] > to[1] : one.name < other.name;
  });
  return all;
}

}  // namespace

std::vector<StackChange> function_changes(const StackTree &tree, bool raw, uint32_t first) {
  std::vector<StackChange> all(tree.names().size());
  std::vector<uint32_t> open(all.size()), path;
  for (const StackTree::Node &node : tree.nodes()) {
    if (node.level < first) continue;
    for (; path.size() > node.level - first; path.pop_back()) open[path.back()]--;
    add(all[node.name].self, node.self);
    if (open[node.name]++ == 0) add(all[node.name].total, node.total);
    path.push_back(node.name);
  }
  std::vector<StackChange> found;
  for (size_t name = 0; name < all.size(); name++) {
    if (all[name].total == StackTree::Weights()) continue;
    all[name].name = *tree.names()[name];
    found.push_back(std::move(all[name]));
  }
  return ranked(std::move(found), tree, raw);
}

std::vector<StackChange> stack_changes(const StackTree &tree, bool raw) {
  std::vector<StackChange> found;
  std::vector<uint32_t> path;  // of names
  for (const StackTree::Node &node : tree.nodes()) {
    path.resize(node.level);
    path.push_back(node.name);
    if (node.self == StackTree::Weights()) continue;
    StackChange change = {.name = {}, .self = node.self, .total = node.self};
    for (size_t i = path.size(); i-- > 1;) change.name += (change.name.empty() ? "" : "\n") + *tree.names()[path[i]];
    found.push_back(std::move(change));
  }
  return ranked(std::move(found), tree, raw);
}

}  // namespace strata
