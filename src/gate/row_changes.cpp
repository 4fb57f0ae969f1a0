// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/row_changes.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "gate/baseline.h"
#include "gate/gate.h"
#include "model/column_choice.h"
#include "render/value.h"
#include "run/recorded.h"
#include "run/tool.h"

namespace strata {
namespace {

using Is = RowChange::Is;
using Of = RowTotals::Of;
using Words = std::vector<std::string>;

constexpr double kPercentiles[] = {50, 90, 99};

void check_same(const RowTotals &a, const RowTotals &b) {
  const auto name = [](const RowTotals &one) {
    return printable(one.file) + " is of strata " + std::string(one.tool->name);
  };
  if (a.tool != b.tool) throw Error(name(a) + ", and " + name(b) + ": only recordings of one tool can be compared");
  const std::string both = printable(a.file) + " and " + printable(b.file);
  if (a.view != b.view) throw Error(both + " show another view of strata " + std::string(a.tool->name));
  const Option *option = a.options && b.options ? differing_option(*a.tool, *a.options, *b.options) : nullptr;
  if (option != nullptr)
    throw Error(both + " are of runs that differ in --" + std::string(option->name) + ": they count other things");
  const auto same = [](const std::vector<Field> &x, const std::vector<Field> &y) {
    return std::ranges::equal(x, y, {}, &Field::key, &Field::key);
  };
  if (!same(a.sums, b.sums) || !same(a.values, b.values)) throw Error(both + " have other columns");
}

class Comparison {
 public:
  Comparison(const RowTotals &before, const RowTotals &after) : before_(before), after_(after) {}

  std::vector<RowChange> changes() {
    for (const auto &[row, of] : after_.of) {
      const auto was = before_.of.find(row);
      if (was == before_.of.end())
        only(Is::kNew, row, of);
      else
        both(row, was->second, of);
    }
    for (const auto &[row, of] : before_.of)
      if (!after_.of.contains(row)) only(Is::kGone, row, of);
    // Those of a kind and a metric by how much it is.
    std::ranges::stable_sort(changes_, {}, [](const RowChange &one) {
      const uint64_t more = std::max(one.before, one.after) - std::min(one.before, one.after);
      return std::tuple(one.is, std::string_view(one.metric), ~more);
    });
    return std::move(changes_);
  }

 private:
  // Of a table its first counter says how many there are.
  void only(Is is, const Words &row, const Of &of) {
    const bool sum = !before_.counts && !before_.sums.empty();
    const uint64_t number = sum ? of.sums.front() : of.count;
    RowChange change = {.is = is, .metric = "count", .row = row};
    if (sum) change.metric = before_.sums.front().key;
    if (sum) change.unit = before_.sums.front().unit;
    (is == Is::kNew ? change.after : change.before) = number;
    changes_.push_back(std::move(change));
  }

  void both(const Words &row, const Of &was, const Of &is) {
    for (size_t i = 0; i < before_.values.size(); i++)
      for (const double percentile : kPercentiles)
        distribution(row, before_.values[i], percentile, was.values[i], is.values[i]);
    if (before_.counts) number(row, "count", Unit::kNone, was.count, is.count);
    for (size_t i = 0; i < before_.sums.size(); i++)
      number(row, before_.sums[i].key, before_.sums[i].unit, was.sums[i], is.sums[i]);
  }

  void distribution(const Words &row, const Field &column, double percentile, const Histogram &was,
                    const Histogram &is) {
    if (std::min(was.count(), is.count()) < least_values_of(percentile)) return;
    const bool up = is_above(is, was, percentile), time = column.unit == Unit::kNs;
    if (!up && !is_above(was, is, percentile)) return;
    const Is change = up ? (time ? Is::kSlower : Is::kGreater) : (time ? Is::kFaster : Is::kSmaller);
    changes_.push_back(
        {.is = change,
         .metric = "p" + std::to_string(static_cast<int>(percentile)) + "(" + std::string(column.key) + ")",
         .unit = column.unit,
         .before = was.percentile(percentile),
         .after = is.percentile(percentile),
         .row = row});
  }

  void number(const Words &row, std::string_view metric, Unit unit, uint64_t was, uint64_t is) {
    if (was == is) return;
    changes_.push_back({.is = is > was ? Is::kMore : Is::kFewer,
                        .metric = std::string(metric),
                        .unit = unit,
                        .before = was,
                        .after = is,
                        .row = row});
  }

  const RowTotals &before_, &after_;
  std::vector<RowChange> changes_;
};

// Times and sizes are scaled, unless the two would be the same then.
Row row_of(const RowChange &change, Schema columns) {
  constexpr std::string_view kNames[] = {"new", "gone", "slower", "greater", "faster", "smaller", "more", "fewer"};
  const Field column = {.key = change.metric, .unit = change.unit};
  std::string before = value_text(column, change.before, {}), after = value_text(column, change.after, {});
  if (before == after) {
    before = std::to_string(change.before);
    after = std::to_string(change.after);
  }
  std::string words;
  for (const std::string &word : change.row) words += word + '\0';
  Row row(columns.size());
  const auto set = [&](std::string_view key, Value value) { row[index_of(columns, key)] = std::move(value); };
  set("before_count", change.before);
  set("after_count", change.after);
  set("difference", std::string(kNames[static_cast<size_t>(change.is)]));
  set("metric", change.metric);
  set("before", before);
  set("after", after);
  set("row", words);
  return row;
}

}  // namespace

std::vector<Row> rows_of(const std::vector<RowChange> &changes, Schema columns) {
  std::vector<Row> rows;
  for (const RowChange &change : changes) rows.push_back(row_of(change, columns));
  return rows;
}

std::vector<RowChange> row_changes(const RowTotals &before, const RowTotals &after) {
  check_same(before, after);
  return Comparison(before, after).changes();
}

}  // namespace strata
