// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// All that is demanded of a program: by the command line of `strata check`, and by the files of gates that it names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/option.h"
#include "cli/values.h"
#include "gate/gate.h"
#include "gate/gate_file.h"

namespace strata {

inline constexpr Option kDemandOptions[] = {
    {.name = "file",
     .short_name = 'f',
     .value = "FILE",
     .kind = OptionKind::kTexts,
     .help = "gates in a file of TOML; repeatable"},
    {.name = "repeat",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "run COMMAND so often: counts have to hold each time, distributions are those of all runs together",
     .low = 1,
     .high = kMostRuns,
     .default_value = "1"},
    {.name = "baseline",
     .value = "FILE",
     .kind = OptionKind::kText,
     .help = "fail what is worse than in this file, too"},
};

struct Demands {
  std::vector<Gate> gates;  // those of the files first
  uint64_t repeat = 1;
  std::string baseline = {};  // a file; empty: none
};

// What the command line says comes before what a file says. Throws a usage Error: of a file, of --that, or where two
// files say another thing and the command line does not.
Demands demands_of(const Values &values);

}  // namespace strata
