// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The columns of rows that are stacks with what they weigh.
#pragma once

#include <cstdint>

#include "model/columns.h"
#include "model/record.h"
#include "run/resolver.h"

namespace strata {

template <typename Entry>
Value nothing_yet(const Entry &) {
  return {};
}

// The part of the weight of all rows of the interval; the table fills it (TableSpec::share).
template <typename Entry>
constexpr Field share_column(Field column = {}) {
  column.decode = kDecode<nothing_yet<Entry>>;
  return completed(column, {.key = "share_percent",
                            .title = "SHARE",
                            .unit = Unit::kPercent,
                            .width = 6,
                            .help = "of the time of all rows of the interval"});
}

inline MaybeText stack_text(uint64_t stack, Resolver &names) {
  return stack == 0 ? Value() : Value(names.stack(stack));
}

// Of a stack's key; 0: it has none, or found no room.
constexpr Field stack_column(Field column) {
  column.pointer = true;
  column.decode = kDecode<stack_text>;
  return completed(column, {.key = "stack",
                            .title = "STACK",
                            .unit = Unit::kStack,
                            .help = "functions, innermost first; _[k]: of the kernel"});
}

}  // namespace strata
