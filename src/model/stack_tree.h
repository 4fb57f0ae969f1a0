// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Stacks merged from their outermost function on: a node for each function in each place that it was called from, with
// its weight; with two, where two runs are compared.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/field.h"

namespace strata {

class StackTree {
 public:
  using Weights = std::array<uint64_t, 2>;  // of a run, or of the two that are compared
  struct Node {
    uint32_t name;   // its index in names()
    uint32_t level;  // 0: the root, which is no function
    Weights self;    // of the stacks that end here
    Weights total;   // and of those that go on
    uint32_t place;  // as add() has it
  };

  StackTree();

  // The outermost function first. Without any it is the root's own. Where the stack ends: a number, of all stacks of
  // the same functions.
  uint32_t add(std::span<const std::string_view> frames, uint64_t weight, size_t run = 0);

  [[nodiscard]] const std::vector<const std::string *> &names() const { return names_; }
  [[nodiscard]] const Weights &total() const { return total_; }
  [[nodiscard]] size_t size() const { return places_.size(); }

  // From the root on, each before those that it calls, which are in the order of their names.
  [[nodiscard]] std::vector<Node> nodes() const;

 private:
  struct Place {
    uint32_t name, parent, level;
    Weights self;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  uint32_t name_number(std::string_view name);
  uint32_t child(uint32_t parent, uint32_t name);
  [[nodiscard]] std::vector<uint32_t> by_parent_and_name() const;

  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> name_numbers_;
  std::vector<const std::string *> names_;                // its keys
  std::unordered_map<uint64_t, uint32_t> places_by_key_;  // parent << 32 | name
  std::vector<Place> places_;                             // each after its parent
  Weights total_ = {};
};

// Run 1 of a tree, compared with run 0.
struct StackComparison {
  const StackTree &tree;
  const Field &weight;
  bool threads;                    // the outermost function of each stack is the name of a thread
  double scale;                    // by which run 0 is multiplied before
  std::vector<std::string> notes;  // what the two are, a line each
};

}  // namespace strata
