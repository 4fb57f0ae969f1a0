// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which columns a run shows, and which rows say whose their process is (run/task_groups.h).
#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "model/column_choice.h"
#include "run/session.h"
#include "run/task_groups.h"
#include "run/view_options.h"

namespace strata {
namespace {

// "by=process|by=thread" -> "--by process"
std::string option_that_holds(std::string_view conditions) {
  std::string option = "--" + std::string(conditions.substr(0, conditions.find('|')));
  std::ranges::replace(option, '=', ' ');
  return option;
}

// In a list of columns or an expression, in any case; what stands in quotes is no name.
bool has_name(std::string_view text, std::string_view key) {
  std::string name;
  char quote = '\0';
  for (const char c : std::string(text) + " ") {
    const bool of_name = quote == '\0' && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
    if (of_name) {
      name += lower(c);
      continue;
    }
    if (name == key) return true;
    name.clear();
    if (quote == c)
      quote = '\0';
    else if (quote == '\0' && (c == '"' || c == '\''))
      quote = c;
  }
  return false;
}

}  // namespace

// Whose a row is, is shown where --by or --by-owner names it, and not beside the cgroup.
void Session::choose_columns() {
  shown_.clear();
  for (const Field &owner : kTaskOwners) {
    const size_t place = index_of(columns_, owner.key);
    if (place == columns_.size()) continue;
    for (const std::string_view condition : split(columns_[place].with, '|'))
      if (condition.ends_with("=" + std::string(owner.key)) && holds(condition)) columns_[place].hidden = false;
  }
  for (size_t i = 0; i < columns_.size(); i++)
    if (!columns_[i].hidden && applies(columns_[i])) shown_.push_back(i);
  data_.clear();
  const Values &values = values_with("columns");
  if (!values.given("columns") || columns_.empty()) return;
  std::vector<size_t> all(columns_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const std::vector<Field> beside = owners_beside(columns_);
  std::vector<std::string_view> owners;
  for (const Field &owner : beside) owners.push_back(owner.key);
  data_ = columns_named(columns_, values.texts("columns"), std::move(all), owners);
  shown_ = columns_named(columns_, values.texts("columns"), shown_, owners);
}

bool Session::shows_column(std::string_view key) const {
  return std::ranges::any_of(shown_, [&](size_t i) { return columns_[i].key == key; });
}

bool Session::names_column(std::string_view key) const {
  for (const std::string_view option : {"columns", "when", "sort"}) {
    const Values &values = values_with(option);
    if (!values.given(option)) continue;
    for (const std::string &text : values.texts(option)) {
      const auto keeps = [&](std::string_view name) { return !name.starts_with('-') && has_name(name, key); };
      if (option == "columns" ? std::ranges::any_of(split_commas(text), keeps) : has_name(text, key)) return true;
    }
  }
  return false;
}

// Of histograms by cgroup, say, these columns are the group's; of those by process they are the process's.
void Session::add_owners() {
  owned_.reset();
  const size_t process = index_of(columns_, "tgid");
  const bool named = std::ranges::any_of(kTaskOwners, [this](const Field &one) { return names_column(one.key); });
  if ((view_ == nullptr && followed() == nullptr) || process == columns_.size() || !named) return;
  if (!applies(columns_[process])) {
    if (!owners_beside(columns_).empty() && values_.given("columns"))
      throw usage_error("unit, container and pod are whose a row's process is, and these rows are of none (try: " +
                        option_that_holds(columns_[process].with) + ")");
    return;
  }
  for (const Field &owner : kTaskOwners) {
    const size_t place = index_of(columns_, owner.key);
    if (place == columns_.size()) break;
    if (applies(columns_[place])) return;
    columns_[place] = owner;
    columns_[place].with = columns_[process].with;
  }
  for (const Field &owner : owners_beside(columns_))
    if (names_column(owner.key)) columns_.push_back(owner);
  owned_ = process;
}

// Of the rows of a process, or of a group by its number. What is hidden json and recordings have nevertheless.
bool Session::names_groups() const {
  if (shows_groups_ || owned_process() != nullptr) return true;
  const auto shows_all = [](const OutputRequest &one) { return one.format != "text" && one.format != "csv"; };
  const bool hidden_ones = view_ != nullptr && std::ranges::any_of(requests_of(*tool_, view_, values_), shows_all);
  return std::ranges::any_of(columns_, [&](const Field &column) {
    const bool of_group = column.key == "cgroup" || index_of(kTaskOwners, column.key) != kTaskOwners.size();
    return of_group && applies(column) && (hidden_ones || shows_column(column.key) || names_column(column.key));
  });
}

void Session::prepare_owners(Object &object) const {
  object.enable("group_exit", owned_process() != nullptr);
  object.enable("group_rmdir", names_groups());
  if (owned_process() != nullptr) object.set_max_entries("ended_groups", TaskGroups::kEnded);
  if (names_groups()) object.set_max_entries("removed_groups", TaskGroups::kRemoved);
}

}  // namespace strata
