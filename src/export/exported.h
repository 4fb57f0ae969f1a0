// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A tool that an exporter runs: what the file says of it, and what it has counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bpf/run_time.h"
#include "cli/values.h"
#include "export/budget.h"
#include "export/export_file.h"
#include "render/openmetrics_totals.h"
#include "run/find_tool.h"

namespace strata {

class Session;

struct Exported {
  enum class State : uint8_t { kStarting, kUp, kRefused, kDetached };

  Exported(const ExportedTool &from, const Found &which, std::string as, Values with);

  [[nodiscard]] std::string name() const { return std::string(found.name()); }
  [[nodiscard]] bool is_up() const { return state == State::kUp; }

  ExportedTool wanted;
  Found found;
  std::string program;  // "strata biolatency"
  Values values;
  RunTotals totals;
  State state = State::kStarting;
  Session *session = nullptr;    // while it is up or detached
  uint64_t read_ns = 0;          // how long the last reading took
  uint64_t reading_cpu_ns = 0;   // since the last measurement
  RunTime programs;              // when its window began
  std::optional<ToolCost> cost;  // in the last measurement
  uint32_t one_in = 0;           // as of ToolCost, from now on
};

// Throws a usage Error that begins with the tool's place in the file: it is not there, it does not count, or it has
// options that are not for an exporter. `pushes`: samples have a collector to go to.
Exported exported_of(const ExportedTool &wanted, Tools tools, bool pushes, bool verbose);

}  // namespace strata
