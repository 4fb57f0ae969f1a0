// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/recorded.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/ending.h"
#include "base/error.h"
#include "base/text.h"
#include "model/column_choice.h"
#include "run/dispatch.h"
#include "run/session.h"
#include "run/task_groups.h"
#include "run/view_options.h"

namespace strata {
namespace {

bool is_called(const Tool &tool, std::string_view name) {
  return tool.name == name ||
         std::any_of(tool.links.begin(), tool.links.end(), [&](const Link &link) { return link.name == name; });
}

// What a recording of a run without known options is of, its first record says.
const View *view_of(const Tool &tool, Recording &recording) {
  std::vector<std::string_view> names;
  for (const View &view : tool.views) names.push_back(record_of(view).name);
  const std::string_view first = recording.first_of(names);
  for (const View &view : tool.views)
    if (record_of(view).name == first) return &view;
  return tool.views.empty() ? nullptr : &tool.views.front();
}

// "strata follow", "strata-follow" and "follow" are the same tool.
const Tool &recorded_tool(const std::string &program) {
  const std::string name = program.substr(program.find_last_of(" -") + 1);
  for (const Tool *tool : kTools) {
    if (is_called(*tool, name) && (tool->replay != nullptr || !tool->views.empty())) return *tool;
  }
  throw Error("the recording is of '" + printable(program) + "', which this program cannot replay");
}

std::optional<Values> recorded_values(const Tool &tool, const RecordingHead &head) {
  if (!head.has_options) return std::nullopt;
  try {
    Values values = parse_arguments(syntax_of(tool, head.program), head.options);
    const View *view = selected_view(tool, values);
    const Followed *followed = followed_of(tool, &values);
    if (view == nullptr && followed == nullptr) return values;
    const std::vector<Field> columns =
        with_owners(followed != nullptr ? columns_of(*followed) : columns_of(record_of(*view).fields));
    std::vector<size_t> all(columns.size());  // from which "-A" takes away
    std::iota(all.begin(), all.end(), size_t{0});
    if (values.given("columns")) columns_named(columns, values.texts("columns"), std::move(all));
    if (values.given("sort")) column_named(columns, "sort", values.text("sort"));
    return values;
  } catch (const Error &) {
    return std::nullopt;
  }
}

}  // namespace

const Option *differing_option(const Tool &tool, const Values &a, const Values &b) {
  const auto differs = [&](const Option &option) {
    const std::string_view name = option.name;
    return a.given(name) != b.given(name) || a.texts(name) != b.texts(name) || a.numbers(name) != b.numbers(name);
  };
  const auto found = std::ranges::find_if(tool.options, differs);
  return found == tool.options.end() ? nullptr : &*found;
}

std::vector<Loss> losses_of(const Recording &recording, const std::string &file) {
  const std::string missing = recording.missing();
  if (recording.ended()) throw Error(printable(file) + ": " + missing, 128 + ending_signal());
  std::vector<Loss> losses = recording.losses();
  if (!missing.empty()) losses.push_back({.reason = missing, .count = 1});
  return losses;
}

std::vector<Loss> losses_by_file(const std::vector<std::pair<std::string, std::vector<Loss>>> &files) {
  std::vector<Loss> losses;
  for (const auto &[file, of] : files)
    for (const Loss &loss : of) losses.push_back({.reason = file + ": " + loss.reason, .count = loss.count});
  return losses;
}

RecordedRun::RecordedRun(const std::string &name)
    : file(name),
      recording(name),
      tool(recorded_tool(recording.head().program)),
      values(recorded_values(tool, recording.head())),
      view(values ? selected_view(tool, *values) : view_of(tool, recording)),
      followed(followed_of(tool, values ? &*values : nullptr)) {}

std::vector<Loss> losses_of(std::span<const std::unique_ptr<RecordedRun>> runs) {
  std::vector<std::pair<std::string, std::vector<Loss>>> files;
  for (const std::unique_ptr<RecordedRun> &run : runs)
    files.emplace_back(run->file, losses_of(run->recording, run->file));
  return losses_by_file(files);
}

std::string RecordedRun::host() const { return recording.head().host.empty() ? file : recording.head().host; }

}  // namespace strata
