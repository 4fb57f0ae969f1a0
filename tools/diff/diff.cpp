// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata diff: what takes more and what takes less in one profile than in another.
#include <algorithm>

#include "cli/values.h"
#include "diff.manual.h"
#include "model/column_choice.h"
#include "model/stack_changes.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/compared_stacks.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "A", .help = "before: a recording of a tool that counts stacks, or folded stacks", .file = true},
    {.name = "B", .help = "after: of the same tool", .file = true},
};
constexpr Option kOptions[] = {
    choice_option({.name = "by", .value = "function|stack", .help = "what a row is", .default_value = "function"}),
    {.name = "raw", .help = "parts of all of A, also of B"},
};

constexpr Field number(std::string_view key, std::string_view title, Unit unit, std::string_view help) {
  const Decode decode = {.type = title.size() == 1 ? Type::kInteger : Type::kNumber};
  return {.decode = decode, .key = key, .title = title, .unit = unit, .width = 7, .help = help};
}
constexpr Field with(Field column, std::string_view option) {
  column.with = option;
  return column;
}
constexpr Field kName = {.decode = {.type = Type::kText}, .key = "function", .title = "FUNCTION", .help = "its name"};
constexpr Field kStack = {.decode = {.type = Type::kText},
                          .key = "stack",
                          .title = "STACK",
                          .unit = Unit::kStack,
                          .help = "functions, innermost first"};
constexpr Field kColumns[] = {
    number("change_points", "CHANGE", Unit::kNone, "of its own share, in percentage points"),
    number("before_percent", "BEFORE", Unit::kPercent, "its own share in A"),
    number("after_percent", "AFTER", Unit::kPercent, "and in B"),
    with(number("total_change_points", "TOTAL", Unit::kNone, "change with what it calls, in points"), "by=function"),
    hidden(number("before_count", "A", Unit::kNone, "what was counted in A")),
    hidden(number("after_count", "B", Unit::kNone, "and in B")),
    with(kName, "by=function"),
    with(kStack, "by=stack"),
};
constexpr std::string_view kFormats[] = {"text", "json", "csv", "flame"};

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

void put_rows(const ComparedStacks &both, const Values &values, Session &session) {
  const bool by_stack = values.text("by") == "stack", raw = values.given("raw");
  std::vector<Row> rows;
  for (const StackChange &change :
       by_stack ? stack_changes(both.tree, raw) : function_changes(both.tree, raw, both.threads() ? 2 : 1))
    rows.push_back(row_of(change, by_stack));
  if (values.given("sort")) {
    const size_t by = column_named(session.columns(), "sort", values.text("sort"));
    std::stable_sort(rows.begin(), rows.end(), [&](const Row &a, const Row &b) { return comes_first(a[by], b[by]); });
  }
  if (values.given("rows")) rows.resize(std::min<size_t>(rows.size(), values.number("rows")));
  for (const Row &row : rows) session.out().put(DecodedRow{session.columns(), row});
}

int run(const Values &values, Session &session) {
  const ComparedStacks both(values.operand(0), values.operand(1));
  const StackComparison comparison = both.comparison(values.given("raw"));
  session.begin({.program = "strata diff", .options = values.arguments(), .has_options = true, .clocks = {}});
  put_rows(both, values, session);
  session.out().put(comparison);
  session.report(both.losses());
  return session.finish();
}

}  // namespace

extern const Tool tool_diff = {
    .name = "diff",
    .summary = "compare two profiles: what grew and what shrank",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasColumns | kHasTable,
    .formats = kFormats,
    .fields = kColumns,
    .run = run,
};

}  // namespace strata
