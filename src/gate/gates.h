// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The gates of a command line, and which runs of which tools measure them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option.h"
#include "cli/values.h"
#include "gate/gate.h"

namespace strata {

inline constexpr Option kGateOptions[] = {
    {.name = "that",
     .value = "EXPR",
     .kind = OptionKind::kTexts,
     .help = "what has to hold: opens <= 120, p99(fsync) < 10ms; repeatable"},
    {.name = "least",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "values that a distribution has to have, instead of what each percentile needs",
     .low = 1},
};

std::vector<Gate> gates_of(const Values &values);  // of --that; throws a usage Error

// One run of a tool, for all gates that it can measure.
struct ToolRun {
  std::string_view tool;
  std::vector<std::string> arguments;
  std::vector<size_t> gates;  // their places
};
std::vector<ToolRun> tool_runs_of(std::span<const Gate> gates);

}  // namespace strata
