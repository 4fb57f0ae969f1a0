// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Gates in a file of TOML, for the repository of what is checked:
//
//   baseline = "gates.json"              # beside this file
//   repeat = 3
//
//   [[gate]]
//   name = "no shell"
//   that = 'execs(file ~ "/sh$") == 0'
//
//   [[gate]]
//   that = "p99(fsync) < 10ms"
//   least = 1000
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/gate.h"

namespace strata {

// What stands outside of the gates is as the options of `strata check` of the same names.
inline constexpr uint64_t kMostRuns = 1000;  // of the program

struct GateFile {
  std::vector<Gate> gates;  // one at least
  std::optional<uint64_t> repeat;
  std::string baseline = {};  // a path from where strata runs; empty: none
};

// Throws a usage Error: it cannot be read, or its text is wrong at FILE:LINE:COLUMN.
GateFile read_gate_file(const std::string &file);
GateFile parse_gate_file(const std::string &file, std::string_view text);  // the name is for messages, and the baseline

}  // namespace strata
