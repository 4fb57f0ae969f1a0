// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The rows of `strata diff` of two profiles.
#pragma once

#include <string_view>
#include <vector>

#include "model/field.h"
#include "subsys/compared_stacks.h"

namespace strata {

namespace stack_change {

constexpr Field number(std::string_view key, std::string_view title, Unit unit, std::string_view help) {
  const Decode decode = {.type = title.size() == 1 ? Type::kInteger : Type::kNumber};
  return {.decode = decode, .key = key, .title = title, .unit = unit, .width = 7, .help = help};
}
constexpr Field with(Field column, std::string_view option) {
  column.with = option;
  return column;
}
inline constexpr Field kName = {
    .decode = {.type = Type::kText}, .key = "function", .title = "FUNCTION", .help = "its name"};
inline constexpr Field kStack = {.decode = {.type = Type::kText},
                                 .key = "stack",
                                 .title = "STACK",
                                 .unit = Unit::kStack,
                                 .help = "functions, innermost first"};

}  // namespace stack_change

inline constexpr Field kStackChangeColumns[] = {
    stack_change::number("change_points", "CHANGE", Unit::kNone, "of its own share, in percentage points"),
    stack_change::number("before_percent", "BEFORE", Unit::kPercent, "its own share in A"),
    stack_change::number("after_percent", "AFTER", Unit::kPercent, "and in B"),
    stack_change::with(
        stack_change::number("total_change_points", "TOTAL", Unit::kNone, "change with what it calls, in points"),
        "by=function"),
    hidden(stack_change::number("before_count", "A", Unit::kNone, "what was counted in A")),
    hidden(stack_change::number("after_count", "B", Unit::kNone, "and in B")),
    stack_change::with(stack_change::kName, "by=function"),
    stack_change::with(stack_change::kStack, "by=stack"),
};

// Of functions, or of whole stacks.
std::vector<Row> rows_of(const ComparedStacks &both, bool by_stack, bool raw);

}  // namespace strata
