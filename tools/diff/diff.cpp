// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata diff: what one recording has more of, less of, or alone, than another: functions of a profile, or rows.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/joined.h"
#include "cli/values.h"
#include "diff.manual.h"
#include "gate/row_changes.h"
#include "gate/row_totals.h"
#include "model/column_choice.h"
#include "run/recorded.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/compared_stacks.h"
#include "subsys/stack_change_rows.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "A", .help = "before: a recording, or folded stacks", .file = true},
    {.name = "B", .help = "after: of the same tool", .file = true},
};
constexpr Option kOptions[] = {
    choice_option({.name = "by", .value = "function|stack", .help = "what a row is", .default_value = "function"}),
    {.name = "raw", .help = "parts of all of A, also of B"},
    {.name = "key",
     .value = "A,B,...",
     .kind = OptionKind::kTexts,
     .help = "of recordings of rows: the columns that tell them apart, instead of all that are texts"},
};

constexpr auto kColumns = joined(kStackChangeColumns, kRowChangeColumns);
constexpr std::string_view kFormats[] = {"text", "json", "csv", "flame"};

// Instead of those of stacks.
void show_columns_of_rows(Session &session) {
  for (size_t i = 0; i < kColumns.size(); i++) {
    Field column = kColumns[i];
    column.hidden = i < std::size(kStackChangeColumns);
    session.set_column(column);
  }
}

void begin_with(std::vector<Row> rows, const Values &values, Session &session) {
  session.begin({.program = "strata diff", .options = values.arguments(), .has_options = true, .clocks = {}});
  if (values.given("sort")) {
    const size_t by = column_named(session.columns(), "sort", values.text("sort"));
    std::stable_sort(rows.begin(), rows.end(), [&](const Row &a, const Row &b) { return comes_first(a[by], b[by]); });
  }
  if (values.given("rows")) rows.resize(std::min<size_t>(rows.size(), values.number("rows")));
  for (Row &row : rows) {
    row.resize(kColumns.size());
    session.out().put(DecodedRow{session.columns(), row});
  }
}

int compare_rows(const Values &values, Session &session) {
  reject_options(values, {"by", "raw"}, "is for stacks, and these recordings have rows");
  const RowTotals a = totals_of(values.operand(0), values.texts("key"), session);
  const RowTotals b = totals_of(values.operand(1), values.texts("key"), session);
  for (const std::string &output : values.texts("output"))
    if (output.starts_with("flame")) throw usage_error("-o flame is for stacks, and these recordings have rows");
  const std::vector<RowChange> changes = row_changes(a, b);
  show_columns_of_rows(session);
  begin_with(rows_of(changes, kColumns), values, session);
  session.report(losses_by_file({{a.file, a.losses}, {b.file, b.losses}}));
  return session.finish();
}

int run(const Values &values, Session &session) {
  if (has_rows(values.operand(0)) || has_rows(values.operand(1))) return compare_rows(values, session);
  reject_options(values, {"key"}, "is for rows, and these are stacks");
  const ComparedStacks both(values.operand(0), values.operand(1));
  const StackComparison comparison = both.comparison(values.given("raw"));
  begin_with(rows_of(both, values.text("by") == "stack", values.given("raw")), values, session);
  session.out().put(comparison);
  session.report(both.losses());
  return session.finish();
}

}  // namespace

extern const Tool tool_diff = {
    .name = "diff",
    .summary = "compare two profiles or recordings: what grew, what is new",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasColumns | kHasTable,
    .formats = kFormats,
    .fields = kColumns,
    .run = run,
};

}  // namespace strata
