// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/column_choice.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace strata {

// A key may be another column's header, as "time" and TIME: then it is meant.
size_t column_named(Schema columns, std::string_view option, std::string_view name,
                    std::span<const std::string_view> also) {
  std::vector<std::string_view> keys;
  for (const auto name_of : {&Field::key, &Field::title}) {
    for (size_t i = 0; i < columns.size() && !name.empty(); i++)
      if (equal_in_any_case(columns[i].*name_of, name)) return i;
  }
  for (const Field &column : columns) keys.push_back(column.key);
  keys.insert(keys.end(), also.begin(), also.end());
  throw usage_error("--" + std::string(option) + ": no such column: '" + printable(name) + "'" + meant(name, keys) +
                    "; there are " + comma_list(keys));
}

size_t index_of(Schema columns, std::string_view key) {
  const auto found = std::ranges::find(columns, key, &Field::key);
  return static_cast<size_t>(found - columns.begin());
}

namespace {

// A column that is added to the others comes last, but before a text of any length at the end of a table, as a path:
// behind that nothing would stand in a column. Who lists the columns has them in that order. Rejected: a text as wide
// as the longest one until then, with which all that follows moves again and again.
size_t place_of_added(Schema columns, const std::vector<size_t> &shown) {
  size_t place = shown.size();
  if (std::ranges::all_of(columns, [](const Field &column) { return column.width == 0; })) return place;
  while (place > 0 && columns[shown[place - 1]].unit == Unit::kStack) place--;
  return place > 0 && columns[shown[place - 1]].width == 0 ? place - 1 : place;
}

}  // namespace

std::vector<size_t> columns_named(Schema columns, std::span<const std::string> lists, std::vector<size_t> shown,
                                  std::span<const std::string_view> also) {
  const auto changes = [](std::string_view name) { return name.starts_with('+') || name.starts_with('-'); };
  if (!lists.empty() && !changes(lists.front())) shown.clear();
  for (const std::string &list : lists) {
    for (std::string_view name : split_commas(list)) {
      const char sign = changes(name) ? name.front() : ' ';
      if (changes(name)) name.remove_prefix(1);
      if (sign == '-' && std::ranges::find(also, name) != also.end()) continue;
      const size_t column = column_named(columns, "columns", name, also);
      std::erase(shown, column);
      const size_t place = sign == '+' ? place_of_added(columns, shown) : shown.size();
      if (sign != '-') shown.insert(shown.begin() + static_cast<ptrdiff_t>(place), column);
    }
  }
  if (shown.empty()) throw usage_error("--columns leaves no column to show");
  return shown;
}

}  // namespace strata
