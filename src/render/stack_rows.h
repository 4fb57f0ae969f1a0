// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The rows of a table as stacks: what all formats of stacks read.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/stack_tree.h"
#include "model/table.h"

namespace strata {

class StackRows {
 public:
  explicit StackRows(Schema columns);

  [[nodiscard]] std::vector<std::string_view> functions(const Row &row) const;  // the innermost first
  // The thread's name, if there is a column of it, and the functions, the outermost first, as views of `row`. A name
  // that is printable is still a stranger's.
  [[nodiscard]] std::vector<std::string_view> frames(const Row &row) const;
  // With printable names; where the stack ends in the tree.
  uint32_t add_to(StackTree &tree, const Row &row, uint64_t weight, size_t run = 0) const;
  [[nodiscard]] bool have_threads() const { return comm_.has_value(); }

 private:
  std::optional<size_t> comm_, stack_;  // columns
};

}  // namespace strata
