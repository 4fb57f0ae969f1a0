// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the rows, or histograms, of a recording come to, by what tells them apart in any run: texts as the program's
// name and the file, and no numbers of processes, ports or times.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/values.h"
#include "model/field.h"
#include "model/histogram.h"
#include "model/loss.h"

namespace strata {

class Session;
struct Tool;
struct View;

// Of a replay, where the run was to show some: its recording has all.
inline constexpr std::string_view kAllRows = "--rows=1000000";

struct RowTotals {
  struct Of {
    uint64_t count = 0;             // events, or values of histograms
    std::vector<uint64_t> sums;     // of each column of `sums`
    std::vector<Histogram> values;  // of each column of `values`
  };
  std::string file;
  const Tool *tool = nullptr;
  const View *view = nullptr;
  std::optional<Values> options;              // of the run, if they are known
  bool counts = false;                        // `count` says something: the rows are not counters themselves
  std::vector<Field> sums, values;            // what is added up, and what is a distribution: of the run's own columns
  std::map<std::vector<std::string>, Of> of;  // by what tells them apart: "comm=dd", "file=/etc/passwd"
  std::vector<Loss> losses;
};

// `keys`: of --key, lists of columns that tell rows apart instead. The session is that of `strata diff`; it can be used
// for another one then. Throws Error where the file is no recording, or one of samples or stacks.
RowTotals totals_of(const std::string &file, std::span<const std::string> keys, Session &session);

}  // namespace strata
