// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/bcc_script.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/values.h"
#include "render/writer.h"
#include "run/session.h"
#include "run/task_groups.h"

namespace strata {

// In the order in which they are named, each once.
AddedOwners added_owners(const Values &values, std::span<const Field> rows) {
  AddedOwners added = {.rows = {rows.begin(), rows.end()}};
  for (const std::string &list : values.texts("columns")) {
    for (const std::string_view name : split_commas(list)) {
      const auto is_added = [&](const Field &one) {
        return name.starts_with('+') && equal_in_any_case(name.substr(1), one.key);
      };
      const auto owner = std::ranges::find_if(kTaskOwners, is_added);
      if (owner == kTaskOwners.end())
        throw usage_error("--columns: only +unit, +container and +pod may be added here, not '" + printable(name) +
                          "'" + meant(name, kAddedOwners));
      if (std::ranges::any_of(added.rows, is_added)) continue;
      added.rows.push_back(*owner);
      added.columns.push_back({.key = owner->key, .title = owner->title, .width = owner->width});
    }
  }
  return added;
}

expr::BccOutput bcc_output(const Values &values) {
  return {.interval_ns = values.duration_ns("interval"),
          .count = values.number("count"),
          .time = values.given("timestamp")};
}

int run_bcc_program(std::string program, BccShown shown, Session &session, Object &object) {
  if (session.values().given("explain")) {
    print(program);
    return 0;
  }
  return run_script({.source = {"program", std::move(program)},
                     .arguments = {},
                     .lines_with = std::move(shown.lines_with),
                     .most_lines = shown.most_lines,
                     .rows = shown.rows,
                     .begins_with_head = true,
                     .order = shown.order,
                     .histograms = std::move(shown.histograms),
                     .cumulative = shown.cumulative,
                     .by_exit = shown.by_exit},
                    session, object);
}

}  // namespace strata
