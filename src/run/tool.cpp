// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a tool's views have in common, for its command line and its manual.
#include "run/tool.h"

#include <algorithm>

#include "bpf/object.h"
#include "cli/values.h"
#include "model/column_choice.h"
#include "run/session.h"

namespace strata {

uint32_t common_options_of(const Tool &tool) {
  uint32_t all = tool.common_options;
  for (const View &view : tool.views) all |= common_options_of(view);
  if (tool.stacks.elf == nullptr) all &= ~uint32_t{kHasStack};
  if (std::ranges::find(tool.options, "max-size", &Option::name) != tool.options.end()) all &= ~uint32_t{kHasRecorder};
  if (!tool.stacks.both_parts) all &= ~uint32_t{kHasStackParts};
  if (!tool.stacks.user_part) all &= ~uint32_t{kHasStackLines};
  return all;
}

std::vector<std::string_view> formats_of(const Tool &tool) {
  std::vector<std::string_view> all(tool.formats.begin(), tool.formats.end());
  for (const View &view : tool.views) {
    for (const std::string_view format : formats_of(view))
      if (std::find(all.begin(), all.end(), format) == all.end()) all.push_back(format);
  }
  return all;
}

namespace {

void add_new(std::vector<Field> &all, std::span<const Field> columns, bool hide) {
  for (const Field &column : columns)
    if (index_of(all, column.key) == all.size()) all.push_back(hide ? hidden(column) : column);
}

}  // namespace

// Those of the first view and of the first that shows rows, then what others have besides, and samples, which a help
// leaves to --columns.
std::vector<Field> columns_of(const Tool &tool) {
  const auto has_rows = [](const View &view) { return !std::holds_alternative<HistogramSpec>(view.shape); };
  const auto rows = std::find_if(tool.views.begin(), tool.views.end(), has_rows);
  std::vector<Field> all = columns_of(tool.fields);
  for (auto view = tool.views.begin(); view != tool.views.end(); ++view)
    add_new(all, columns_of(record_of(*view).fields), view != tool.views.begin() && view != rows);
  for (const Followed &one : tool.followed) add_new(all, columns_of(one), true);
  return all;
}

std::vector<Field> columns_of(const Followed &followed) {
  std::vector<Field> all;
  for (const std::span<const Field *const> columns : {followed.sample, followed.sample_more})
    for (const Field *column : columns) all.push_back(*column);
  return all;
}

namespace {

// "send --udp": the operand, and an option that is given with it.
bool is_of(const Values &values, std::string_view name) {
  const size_t option = name.find(" --");
  if (values.operand(0) != name.substr(0, option)) return false;
  return option == std::string_view::npos || values.given(name.substr(option + 3));
}

}  // namespace

const Followed *followed_of(const Tool &tool, const Values *values) {
  if (tool.followed.empty()) return nullptr;
  const auto found = std::ranges::find_if(
      tool.followed, [values](const Followed &one) { return values != nullptr && is_of(*values, one.name); });
  return found == tool.followed.end() ? &tool.followed.front() : &*found;
}

std::vector<Programs> all_programs_of(const Tool &tool) {
  std::vector<Programs> all;
  if (tool.programs.elf != nullptr) all.push_back(tool.programs);
  for (const Followed &one : tool.followed)
    if (one.programs.elf != nullptr) all.push_back(one.programs);
  return all;
}

Syntax syntax_of(const Tool &tool, std::string_view program, const Link *link) {
  Syntax syntax = {.program = program,
                   .operands = tool.operands,
                   .options = tool.options,
                   .common_options = common_options_of(tool),
                   .interval = tool.interval,
                   .tool = tool.name,
                   .implied = link != nullptr ? link->argument : ""};
  if (link != nullptr && !link->operands.empty()) syntax.operands = link->operands;
  if (syntax.operands.empty() && (syntax.common_options & kHasInterval)) syntax.operands = kIntervalOperands;
  return syntax;
}

int run_tool(const Tool &tool, const Values &values, Session &session) {
  if (tool.run != nullptr) return tool.run(values, session);
  Programs programs = tool.programs;
  if (session.has_stacks()) programs.elf = tool.stacks.elf;
  Object object(tool.name, programs);
  if (session.has_stacks()) session.read_stacks_by(tool.stacks.reader(session, object));
  return tool.trace(values, session, object);
}

}  // namespace strata
