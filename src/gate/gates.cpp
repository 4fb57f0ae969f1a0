// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/gates.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace strata {

std::vector<Gate> gates_of(const Values &values) {
  std::vector<Gate> gates;
  for (const std::string &text : values.texts("that"))
    gates.emplace_back(Demand{.that = text, .least = values.number("least")});
  return gates;
}

std::vector<ToolRun> tool_runs_of(std::span<const Gate> gates) {
  std::vector<ToolRun> runs;
  std::vector<std::string_view> options;  // of each run
  for (size_t i = 0; i < gates.size(); i++) {
    const Metric &metric = gates[i].metric();
    size_t at = 0;
    while (at < runs.size() && (runs[at].tool != metric.tool || options[at] != metric.options)) at++;
    if (at == runs.size()) {
      runs.push_back({.tool = metric.tool, .arguments = {}, .gates = {}});
      options.push_back(metric.options);
      if (!metric.options.empty()) runs.back().arguments.emplace_back(metric.options);
    }
    std::vector<std::string> &arguments = runs[at].arguments;
    const bool has_part = std::ranges::find(arguments, metric.part) != arguments.end();
    if (!metric.part.empty() && !has_part) arguments.emplace_back(metric.part);
    runs[at].gates.push_back(i);
  }
  return runs;
}

}  // namespace strata
