// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Two profiles in one tree: each a recording of a tool that counts stacks, or a file of folded stacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/field.h"
#include "model/loss.h"
#include "model/stack_tree.h"

namespace strata {

struct Tool;

// A recording of a tool that counts no stacks, whose rows can be compared instead.
bool has_rows(const std::string &file);

struct ComparedStacks {
  struct Side {
    std::string file;
    const Tool *tool = nullptr;  // of a recording
    Field weight;
    bool threads = false;  // the outermost function of each stack is the name of a thread
    std::vector<Loss> losses;
  };

  // Throws Error where one cannot be read, is of a tool that does not count stacks or has none, or where the two are of
  // different tools.
  ComparedStacks(const std::string &a, const std::string &b);

  [[nodiscard]] bool threads() const { return a.threads || b.threads; }
  [[nodiscard]] std::vector<Loss> losses() const;  // of both, with the file
  // `raw`: not as parts of each one's total.
  [[nodiscard]] StackComparison comparison(bool raw) const;

  StackTree tree;
  Side a, b;  // runs 0 and 1 of the tree
};

}  // namespace strata
