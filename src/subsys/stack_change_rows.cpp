// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/stack_change_rows.h"

#include "model/stack_changes.h"

namespace strata {
namespace {

Row row_of(const StackChange &change, bool by_stack) {
  const Value name = change.name.empty() ? Value() : Value(change.name);
  return {100 * change.change,
          100 * change.before,
          100 * change.after,
          by_stack ? Value() : Value(100 * change.total_change),
          change.self[0],
          change.self[1],
          by_stack ? Value() : name,
          by_stack ? name : Value()};
}

}  // namespace

std::vector<Row> rows_of(const ComparedStacks &both, bool by_stack, bool raw) {
  std::vector<Row> rows;
  for (const StackChange &change :
       by_stack ? stack_changes(both.tree, raw) : function_changes(both.tree, raw, both.threads() ? 2 : 1))
    rows.push_back(row_of(change, by_stack));
  return rows;
}

}  // namespace strata
